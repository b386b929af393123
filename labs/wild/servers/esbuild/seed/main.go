// Command seed writes an application of 300 modules with its page, and a folder of 1500 files.
package main

import (
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	app, files := os.Args[1], os.Args[2]
	check(os.MkdirAll(filepath.Join(app, "lib"), 0o700))
	check(os.MkdirAll(filepath.Join(files, "photos"), 0o700))
	var main strings.Builder
	for i := range 300 {
		write(filepath.Join(app, "lib", fmt.Sprintf("m%03d.js", i)), module(i))
		fmt.Fprintf(&main, "import * as m%d from './lib/m%03d.js'\nconsole.log(m%d)\n", i, i, i)
	}
	write(filepath.Join(app, "app.js"), main.String())
	write(filepath.Join(app, "index.html"), "<!doctype html>\n<title>Orders</title>\n<script src=\"/out/app.js\"></script>\n")
	for i := range 1500 {
		write(filepath.Join(files, "photos", fmt.Sprintf("IMG_%04d.jpg", i)), "no photograph")
	}
}

// module is 30 functions.
func module(i int) string {
	var b strings.Builder
	for j := range 30 {
		fmt.Fprintf(&b, `
// Function %[2]d of module %[1]d adds up what is in a list of orders.
export function f%[1]d_%[2]d(orders, { currency = 'EUR', rate = %[2]d.5, ...rest } = {}) {
  const totals = new Map()
  for (const order of orders ?? []) {
    const key = order?.customer?.name ?? 'unknown'
    if (!totals.has(key)) totals.set(key, { count: 0, sum: 0, ...rest })
    const total = totals.get(key)
    total.count += 1
    total.sum += order.lines.reduce((sum, line) => sum + line.price * line.amount * rate, 0)
  }
  return [...totals].map(([name, { count, sum }]) => `+"`${name}: ${count} orders, ${sum.toFixed(2)} ${currency}`"+`)
}
`, i, j)
	}
	return b.String()
}

func write(name, text string) { check(os.WriteFile(name, []byte(text), 0o600)) }

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
