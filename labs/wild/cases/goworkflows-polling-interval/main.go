// Bookings of a ferry: a booking is a durable workflow, that holds a place, takes the payment and sends the ticket, and
// the customer waits for its end. Workflows are kept in an embedded database.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"log"
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/cschleiden/go-workflows/backend"
	"github.com/cschleiden/go-workflows/backend/monoprocess"
	"github.com/cschleiden/go-workflows/backend/sqlite"
	"github.com/cschleiden/go-workflows/client"
	"github.com/cschleiden/go-workflows/worker"
	"github.com/cschleiden/go-workflows/workflow"
	"github.com/google/uuid"

	"wild/service"
)

// booking is what is asked for.
type booking struct {
	Name  string `json:"name"`
	Ferry string `json:"ferry"`
	Cars  int    `json:"cars"`
	Cents int    `json:"cents"`
}

// ticket is what comes of it.
type ticket struct {
	Place  int64  `json:"place"`
	Number string `json:"number"`
}

var places atomic.Int64

func hold(_ context.Context, b booking) (int64, error) {
	if b.Cars > 4 {
		return 0, errors.New("that many cars are a convoy")
	}
	return places.Add(1), nil
}

func pay(_ context.Context, b booking) (string, error) {
	return fmt.Sprintf("%08x", crc32.ChecksumIEEE(fmt.Append(nil, b.Name, b.Cents))), nil
}

// book is the workflow.
func book(ctx workflow.Context, b booking) (ticket, error) {
	place, err := workflow.ExecuteActivity[int64](ctx, workflow.DefaultActivityOptions, hold, b).Get(ctx)
	if err != nil {
		return ticket{}, err
	}
	receipt, err := workflow.ExecuteActivity[string](ctx, workflow.DefaultActivityOptions, pay, b).Get(ctx)
	if err != nil {
		return ticket{}, err
	}
	return ticket{place, b.Ferry + "-" + receipt}, nil
}

// desk books.
type desk struct{ flows *client.Client }

func open(ctx context.Context) (*desk, error) {
	quiet := slog.New(slog.NewTextHandler(io.Discard, &slog.HandlerOptions{Level: slog.LevelError}))
	var kept backend.Backend = sqlite.NewInMemoryBackend(sqlite.WithBackendOptions(backend.WithLogger(quiet)))
	if service.After() {
		kept = monoprocess.NewMonoprocessBackend(kept)
	}
	w := worker.New(kept, nil)
	err := errors.Join(w.RegisterWorkflow(book), w.RegisterActivity(hold), w.RegisterActivity(pay), w.Start(ctx))
	return &desk{client.New(kept)}, err
}

func (d *desk) book(ctx context.Context, b booking) (ticket, error) {
	flow, err := d.flows.CreateWorkflowInstance(ctx, client.WorkflowInstanceOptions{InstanceID: uuid.NewString()}, book, b)
	if err != nil {
		return ticket{}, err
	}
	return client.GetWorkflowResult[ticket](ctx, d.flows, flow, 20*time.Second)
}

func main() {
	ctx, end := context.WithCancel(context.Background())
	defer end()
	d, err := open(ctx)
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /bookings", func(w http.ResponseWriter, r *http.Request) {
		var b booking
		if err := json.NewDecoder(io.LimitReader(r.Body, 4<<10)).Decode(&b); err != nil || b.Name == "" || b.Ferry == "" {
			http.Error(w, "a booking has a name and a ferry", http.StatusBadRequest)
			return
		}
		t, err := d.book(r.Context(), b)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(t)
	})
	service.Run(mux)
}
