package agent

import (
	_ "github.com/unpark-go/unpark"
	_ "net/http"
)
