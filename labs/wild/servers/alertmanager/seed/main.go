// Command seed writes a configuration of 100 teams, or posts 500 alerts and 50 silences and writes what is posted again.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"strings"
	"time"
)

func main() {
	if os.Args[1] == "config" {
		check(os.WriteFile(os.Args[2], []byte(config()), 0o600))
		return
	}
	base, again := os.Args[1], os.Args[2]
	for from := 0; from < 500; from += 100 {
		post(base+"/api/v2/alerts", alerts(from, from+100))
	}
	for team := range 50 {
		post(base+"/api/v2/silences", fmt.Sprintf(`{"matchers": [{"name": "team", "value": "team-%02d", "isRegex": false}, {"name": "severity", "value": "warning|info", "isRegex": true}], "startsAt": %q, "endsAt": %q, "createdBy": "on call", "comment": "maintenance"}`,
			team, time.Now().Format(time.RFC3339), time.Now().Add(24*time.Hour).Format(time.RFC3339)))
	}
	check(os.WriteFile(again, []byte(alerts(0, 100)), 0o600))
}

// config is a route for each team, with one for what pages and one for the rest, and what inhibits what.
func config() string {
	var b strings.Builder
	b.WriteString("global:\n  resolve_timeout: 6h\nroute:\n  receiver: none\n  group_by: [alertname, cluster]\n  group_wait: 30s\n  group_interval: 5m\n  repeat_interval: 12h\n  routes:\n")
	for team := range 100 {
		fmt.Fprintf(&b, "  - matchers: ['team=\"team-%02d\"', 'service=~\"(shop|stock|mail)-.*\"']\n    routes:\n    - matchers: ['severity=~\"critical|page\"']\n    - matchers: ['severity!~\"critical|page\"']\n      group_by: [alertname]\n", team)
	}
	b.WriteString("receivers:\n- name: none\ninhibit_rules:\n")
	for _, kind := range []string{"shop", "stock", "mail"} {
		fmt.Fprintf(&b, "- source_matchers: ['severity=\"critical\"', 'service=~\"%s-.*\"']\n  target_matchers: ['severity=\"warning\"', 'service=~\"%s-.*\"']\n  equal: [cluster, alertname]\n", kind, kind)
	}
	return b.String()
}

// alerts are what Prometheus sends each minute as long as they are true.
func alerts(from, to int) string {
	var all []map[string]any
	for i := from; i < to; i++ {
		all = append(all, map[string]any{
			"labels": map[string]string{
				"alertname": []string{"HighLatency", "DiskFull", "PodRestarts", "QueueGrows"}[i%4],
				"cluster":   fmt.Sprintf("eu-%d", i%5),
				"instance":  fmt.Sprintf("10.1.%d.%d:9100", i/250, i%250),
				"service":   []string{"shop", "stock", "mail"}[i%3] + "-api",
				"severity":  []string{"warning", "critical", "info"}[i/7%3],
				"team":      fmt.Sprintf("team-%02d", i*37%100),
			},
			"annotations":  map[string]string{"summary": "Something is not as it should be for ten minutes."},
			"generatorURL": "http://prometheus.example:9090/graph?g0.expr=up",
		})
	}
	text, err := json.Marshal(all)
	check(err)
	return string(text)
}

func post(url, body string) {
	resp, err := http.Post(url, "application/json", strings.NewReader(body))
	check(err)
	check(resp.Body.Close())
	if resp.StatusCode != http.StatusOK {
		log.Fatal(url, ": ", resp.Status)
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
