package main

import (
	_ "github.com/unpark-go/unpark/investigate"
	_ "github.com/unpark-go/unpark/labs/lookup"
)
