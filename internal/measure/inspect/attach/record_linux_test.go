//go:build linux && (amd64 || arm64)

package attach

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"testing"
)

// TestRecordPage: a window is begun by the number with which its own lease was granted, and by no other.
func TestRecordPage(t *testing.T) {
	a, err := start(t.Context(), Options{PIDs: []int{service(t).Process.Pid}})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	resp, err := get(t.Context(), a.Addresses[0], "/debug/unpark/lease?block=1000000&mutex=1&ttl=60")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	line, err := bufio.NewReader(resp.Body).ReadBytes('\n')
	var granted struct{ Lease int }
	if err != nil || json.Unmarshal(line, &granted) != nil || granted.Lease != 1 {
		t.Fatalf("the lease says %s, %v", line, err)
	}
	for query, want := range map[string]int{
		fmt.Sprintf("lease=%d&window=30s", granted.Lease):   http.StatusOK,
		fmt.Sprintf("lease=%d&window=30s", granted.Lease+1): http.StatusBadRequest,
		fmt.Sprintf("lease=%d&window=30", granted.Lease):    http.StatusBadRequest,
		"lease=0&window=30s":                                http.StatusBadRequest,
	} {
		page, err := get(t.Context(), a.Addresses[0], "/debug/unpark/record?"+query)
		if err != nil {
			t.Fatal(err)
		}
		page.Body.Close()
		if page.StatusCode != want {
			t.Errorf("%s: status %d, want %d", query, page.StatusCode, want)
		}
	}
}
