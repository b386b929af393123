// A routing endpoint that logs each step of its decision with zap, to a file.
package main

import (
	"fmt"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"wild/service"
)

const steps = 24

func main() {
	dir, err := os.MkdirTemp("", "route-log-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	f, err := os.OpenFile(filepath.Join(dir, "route.log"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		log.Fatal(err)
	}
	go rotate(f)

	out := zapcore.Lock(f)
	if service.After() {
		out = &zapcore.BufferedWriteSyncer{WS: f, Size: 256 << 10, FlushInterval: time.Second}
	}
	logger := zap.New(zapcore.NewCore(zapcore.NewJSONEncoder(zap.NewProductionEncoderConfig()), out, zap.InfoLevel))

	var seq atomic.Int64
	http.HandleFunc("/route", func(w http.ResponseWriter, r *http.Request) {
		n := seq.Add(1)
		cost := n % 1000
		for hop := range int64(steps) {
			cost = (cost*31 + hop) % 1009
			logger.Info("hop", zap.Int64("request", n), zap.Int64("hop", hop), zap.Int64("cost", cost))
		}
		fmt.Fprintln(w, cost)
	})
	service.Run(http.DefaultServeMux)
}

// rotate keeps the file small, as logrotate does with copytruncate.
func rotate(f *os.File) {
	for range time.Tick(time.Second) {
		if err := f.Truncate(0); err != nil {
			log.Print(err)
		}
	}
}
