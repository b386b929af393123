package lookup

import (
	"errors"
	"net/http"
	"strconv"
)

// service answers requests from a cache.
type service struct {
	store       *Store
	rows        rows
	answers     answers
	calibration Calibration
}

func newService(c Config, store *Store, cal Calibration) *service {
	s := &service{store: store, calibration: cal, rows: NewCache(store), answers: fresh{}}
	if c.Fixed {
		s.rows = NewOpenCache(store)
		if !c.Garbage {
			s.answers = &kept{}
		}
	}
	return s
}

func (s *service) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /lookup", s.lookupKey)
	mux.HandleFunc("GET /lookup/{id}", s.lookupID)
	mux.HandleFunc("POST /price/{id}", s.reprice)
	mux.HandleFunc("GET /calibration", s.showCalibration)
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusNoContent)
	})
	return mux
}

func (s *service) lookupKey(w http.ResponseWriter, r *http.Request) {
	key := r.URL.Query().Get("key")
	if key == "" {
		http.Error(w, "key is missing: ask for /lookup?key=sku-0000", http.StatusBadRequest)
		return
	}
	s.answer(w, key)
}

func (s *service) lookupID(w http.ResponseWriter, r *http.Request) {
	key, ok := keyFromPath(w, r)
	if ok {
		s.answer(w, key)
	}
}

func (s *service) answer(w http.ResponseWriter, key string) {
	row, err := s.rows.Get(key)
	if err != nil {
		fail(w, err)
		return
	}
	body, err := s.answers.For(row)
	if err != nil {
		fail(w, err)
		return
	}
	writeJSON(w, body)
}

func (s *service) reprice(w http.ResponseWriter, r *http.Request) {
	key, ok := keyFromPath(w, r)
	if !ok {
		return
	}
	cents, err := strconv.ParseInt(r.FormValue("cents"), 10, 64)
	if err != nil || cents <= 0 {
		http.Error(w, "cents must be a whole number above 0", http.StatusBadRequest)
		return
	}
	if err := s.store.Reprice(key, cents); err != nil {
		fail(w, err)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

func (s *service) showCalibration(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, encode(s.calibration))
}

// keyFromPath reads {id}; when it is no number the client has its answer
// already and ok is false.
func keyFromPath(w http.ResponseWriter, r *http.Request) (key string, ok bool) {
	id, err := strconv.Atoi(r.PathValue("id"))
	if err != nil || id < 0 {
		http.Error(w, "id must be a whole number", http.StatusBadRequest)
		return "", false
	}
	return keyOf(id), true
}

func fail(w http.ResponseWriter, err error) {
	status := http.StatusInternalServerError
	if errors.Is(err, ErrNotFound) {
		status = http.StatusNotFound
	}
	http.Error(w, err.Error(), status)
}

// writeJSON ignores a failed write: the client is gone, and nobody is left to
// tell.
func writeJSON(w http.ResponseWriter, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(body)
}
