package investigate

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime/pprof"
	"strings"
	"testing"

	"github.com/unpark-go/unpark"
	"github.com/unpark-go/unpark/internal/exchange"
)

// Profiles that were sent as OTLP are read like files, also in a folder, and are kept with the run as pprof files.
func TestDiagnoseOTLP(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&b, 0); err != nil {
		t.Fatal(err)
	}
	message, err := exchange.OTLP(exchange.Set{Service: "shop", Profiles: []exchange.Profile{{Kind: unpark.KindGoroutine, Name: "g", Data: b.Bytes()}}}, exchange.Protobuf)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, data := range map[string][]byte{"a.otlp": message, "b.otlp": []byte("no message")} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, paths := range [][]string{{filepath.Join(dir, "a.otlp"), filepath.Join(dir, "b.otlp")}, {dir}} {
		outcome, err := Diagnose(paths, unpark.Version{})
		if err != nil {
			t.Fatal(err)
		}
		files := outcome.Run.Windows[0].Profiles
		if len(files) != 1 || files[0].Kind != unpark.KindGoroutine {
			t.Errorf("%+v", files)
		}
		told := false
		for _, n := range outcome.Run.Warnings {
			told = told || n.Code == "profile-unreadable" && strings.Contains(n.Message, "b.otlp")
		}
		if !told {
			t.Errorf("the broken file is not told: %+v", outcome.Run.Warnings)
		}
		kept, err := outcome.Keep(filepath.Join(t.TempDir(), "kept"))
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(kept.Dir, filepath.FromSlash(kept.Run.Windows[0].Profiles[0].File)))
		if err != nil || !bytes.Equal(text, b.Bytes()) {
			t.Errorf("kept as another: %v", err)
		}
		if again, err := Open(kept.Dir); err != nil || len(again.Run.Warnings) != len(kept.Run.Warnings) {
			t.Errorf("opened again: %v, %+v", err, again.Run.Warnings)
		}
	}
}
