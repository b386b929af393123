package selfcheck

import (
	"flag"
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	// Its loads are light and wait for their second to end.
	_ = flag.Set("test.parallel", "8")
	os.Exit(m.Run())
}
