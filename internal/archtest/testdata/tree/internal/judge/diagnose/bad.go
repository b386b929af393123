package diagnose

import (
	_ "strings"

	_ "os/exec"

	_ "github.com/unpark-go/unpark/internal/measure/profile"
)
