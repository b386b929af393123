// A service as many begin: chi, a line of zap for each request into a buffered file,
// and a histogram and a counter of Prometheus by route.
package main

import (
	"encoding/json"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"wild/service"
)

type user struct {
	ID    int      `json:"id"`
	Name  string   `json:"name"`
	Roles []string `json:"roles"`
}

func main() {
	dir, err := os.MkdirTemp("", "users-log-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	f, err := os.OpenFile(filepath.Join(dir, "users.log"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		log.Fatal(err)
	}
	go func() { // keeps the file small, as logrotate does with copytruncate
		for range time.Tick(time.Second) {
			f.Truncate(0)
		}
	}()
	out := &zapcore.BufferedWriteSyncer{WS: f}
	logger := zap.New(zapcore.NewCore(zapcore.NewJSONEncoder(zap.NewProductionEncoderConfig()), out, zap.InfoLevel))

	seconds := prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "http_request_duration_seconds", Buckets: prometheus.DefBuckets,
	}, []string{"route", "method"})
	answers := prometheus.NewCounterVec(prometheus.CounterOpts{Name: "http_requests_total"}, []string{"route", "code"})
	prometheus.MustRegister(seconds, answers)

	r := chi.NewRouter()
	r.Use(middleware.RequestID, middleware.Recoverer)
	r.Use(func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			began := time.Now()
			ww := middleware.NewWrapResponseWriter(w, r.ProtoMajor)
			next.ServeHTTP(ww, r)
			took := time.Since(began)
			route := chi.RouteContext(r.Context()).RoutePattern()
			seconds.WithLabelValues(route, r.Method).Observe(took.Seconds())
			answers.WithLabelValues(route, strconv.Itoa(ww.Status())).Inc()
			logger.Info("request", zap.String("route", route), zap.Int("status", ww.Status()),
				zap.Duration("took", took), zap.String("id", middleware.GetReqID(r.Context())))
		})
	})
	r.Get("/users/{id}", func(w http.ResponseWriter, r *http.Request) {
		id, err := strconv.Atoi(chi.URLParam(r, "id"))
		if err != nil {
			http.Error(w, "no number", http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(user{ID: id, Name: "user " + strconv.Itoa(id), Roles: []string{"reader", "writer"}})
	})
	r.Handle("/metrics", promhttp.Handler())
	service.Run(r)
}
