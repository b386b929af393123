package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image/color"
	"net"
	"net/http"
	"strconv"
	"time"
)

// service answers requests for one canvas.
type service struct {
	size        size
	board       *board
	pictures    pictures
	calibration calibration
}

func (s *service) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /place.png", s.picture)
	mux.HandleFunc("POST /pixel", s.paint)
	mux.HandleFunc("PUT /pixel", s.paint)
	mux.HandleFunc("GET /calibration", s.showCalibration)
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusNoContent)
	})
	return mux
}

func (s *service) picture(w http.ResponseWriter, r *http.Request) {
	if err := s.pictures.send(r.Context(), w); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
	}
}

func (s *service) paint(w http.ResponseWriter, r *http.Request) {
	p, err := pixelOf(r.FormValue("x"), r.FormValue("y"), r.FormValue("color"))
	if err == nil && !s.size.holds(p) {
		err = fmt.Errorf("(%d, %d) is outside of the canvas of %d × %d pixels", p.X, p.Y, s.size.width, s.size.height)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if err := s.board.paint(r.Context(), p); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

func pixelOf(x, y, hex string) (pixel, error) {
	column, errX := strconv.Atoi(x)
	row, errY := strconv.Atoi(y)
	if errX != nil || errY != nil {
		return pixel{}, fmt.Errorf("x %q and y %q must be whole numbers", x, y)
	}
	c, err := colorOf(hex)
	return pixel{X: column, Y: row, Color: c}, err
}

// colorOf reads six hexadecimal digits, red first.
func colorOf(hex string) (color.RGBA, error) {
	rgb, err := strconv.ParseUint(hex, 16, 24)
	if err != nil || len(hex) != 6 {
		return color.RGBA{}, fmt.Errorf("color %q must be six hexadecimal digits such as ff4500", hex)
	}
	return unpacked(uint32(rgb)), nil
}

func (s *service) showCalibration(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(s.calibration)
}

// serve answers requests on ln until ctx is done. Each connection gets a send
// buffer of so many bytes; 0 leaves it to the system.
func serve(ctx context.Context, ln net.Listener, h http.Handler, sendBuffer int) error {
	srv := &http.Server{
		Handler: h, ReadHeaderTimeout: 5 * time.Second, IdleTimeout: 2 * time.Minute,
		ConnContext: func(ctx context.Context, c net.Conn) context.Context {
			if tcp, ok := c.(*net.TCPConn); ok && sendBuffer > 0 {
				_ = tcp.SetWriteBuffer(sendBuffer) // a hint: the connection works without
			}
			return ctx
		},
	}
	failed := make(chan error, 1)
	go func() { failed <- srv.Serve(ln) }()
	select {
	case err := <-failed:
		return fmt.Errorf("serve on %s: %w", ln.Addr(), err)
	case <-ctx.Done():
	}
	// A slow client keeps its request open for longer than anybody wants to wait.
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	if err := srv.Shutdown(grace); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("shut down: %w", err)
	}
	return srv.Close()
}
