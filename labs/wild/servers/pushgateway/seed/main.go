// Command seed pushes the metrics of 400 jobs, and writes their names and what one of them pushes again.
package main

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strings"
)

func main() {
	base, names, push := os.Args[1], os.Args[2], os.Args[3]
	body := metrics()
	check(os.WriteFile(push, []byte(body), 0o600))
	var lines strings.Builder
	for i := range 400 {
		name := fmt.Sprintf("db%03d", i)
		fmt.Fprintln(&lines, name)
		req, err := http.NewRequest(http.MethodPut, base+"/metrics/job/backup/instance/"+name, strings.NewReader(body))
		check(err)
		resp, err := http.DefaultClient.Do(req)
		check(err)
		text, err := io.ReadAll(resp.Body)
		check(err)
		check(resp.Body.Close())
		if resp.StatusCode/100 != 2 {
			log.Fatal(resp.Status, ": ", string(text))
		}
	}
	check(os.WriteFile(names, []byte(lines.String()), 0o600))
}

// metrics are ten families of a backup job, one of them a histogram.
func metrics() string {
	var b strings.Builder
	for i, name := range []string{
		"last_success_timestamp_seconds", "last_start_timestamp_seconds", "size_bytes", "files", "files_changed",
		"files_removed", "errors", "bandwidth_bytes_per_second", "snapshots",
	} {
		fmt.Fprintf(&b, "# HELP backup_%s What the job says of its last run.\n# TYPE backup_%s gauge\n", name, name)
		for _, database := range []string{"orders", "stock", "users"} {
			fmt.Fprintf(&b, "backup_%s{database=%q} %d\n", name, database, 1000*(i+1)+len(database))
		}
	}
	b.WriteString("# HELP backup_file_seconds How long a file takes.\n# TYPE backup_file_seconds histogram\n")
	for i, le := range []string{"0.01", "0.1", "1", "10", "+Inf"} {
		fmt.Fprintf(&b, "backup_file_seconds_bucket{le=%q} %d\n", le, 100*(i+1))
	}
	b.WriteString("backup_file_seconds_sum 1200\nbackup_file_seconds_count 500\n")
	return b.String()
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
