package ab

import (
	"testing"

	"github.com/unpark-go/unpark/internal/turns"
)

func TestTitleOfArm(t *testing.T) {
	arm := turns.Arm{Env: []string{"DSN=s3cret", "GOGC=400"}, Command: []string{"./server", "-u", "http://ann:s3cret@h/"}}
	if got := title(arm); got != "DSN=xxxxx GOGC=400 ./server -u http://xxxxx@h/" {
		t.Error(got)
	}
}
