package main

import (
	_ "github.com/unpark-go/unpark/internal/investigate"
	_ "github.com/unpark-go/unpark/labs/lookup"
)
