// Help for tenants: what a tenant asks is held against the answers that there are, by what a model makes of both. The model is a process
// elsewhere, which takes 5 ms for a request and a little for each text in it.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/sashabaranov/go-openai"

	"wild/service"
)

const model = openai.SmallEmbedding3

var answers = []string{"Call the caretaker, he has the key.", "Rent is due on the third.", "Bins are emptied on Mondays.", "The lift is repaired within a day."}

// help knows answers, by their vectors.
type help struct {
	client  *openai.Client
	vectors []openai.Embedding
}

func open(ctx context.Context, address string) (*help, error) {
	config := openai.DefaultConfig("let me in")
	config.BaseURL = "http://" + address + "/v1"
	config.HTTPClient = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}, Timeout: 5 * time.Second}
	h := &help{client: openai.NewClientWithConfig(config)}
	var err error
	h.vectors, err = h.embed(ctx, answers)
	return h, err
}

// embed asks the model for the vectors of texts.
func (h *help) embed(ctx context.Context, texts []string) ([]openai.Embedding, error) {
	if service.After() {
		resp, err := h.client.CreateEmbeddings(ctx, openai.EmbeddingRequest{Input: texts, Model: model})
		return resp.Data, err
	}
	var out []openai.Embedding
	for _, text := range texts {
		resp, err := h.client.CreateEmbeddings(ctx, openai.EmbeddingRequest{Input: []string{text}, Model: model})
		if err != nil {
			return nil, err
		}
		out = append(out, resp.Data...)
	}
	return out, nil
}

// serve answers each line.
func (h *help) serve(w http.ResponseWriter, r *http.Request) {
	var lines []string
	for s := bufio.NewScanner(http.MaxBytesReader(w, r.Body, 16<<10)); s.Scan(); {
		lines = append(lines, s.Text())
	}
	if len(lines) == 0 {
		http.Error(w, "what is asked?", http.StatusBadRequest)
		return
	}
	asked, err := h.embed(r.Context(), lines)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	out := make([]string, len(asked))
	for i, a := range asked {
		best := float32(-1)
		for j, v := range h.vectors {
			if near, err := a.DotProduct(&v); err == nil && near > best {
				best, out[i] = near, answers[j]
			}
		}
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(out)
}

func main() {
	if os.Getenv("ROLE") == "model" {
		serveModel()
		return
	}
	h, err := open(context.Background(), service.Beside("model"))
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /questions", h.serve)
	service.Run(mux)
}

// serveModel makes vectors of texts.
func serveModel() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/embeddings", func(w http.ResponseWriter, r *http.Request) {
		var in struct {
			Input []string `json:"input"`
		}
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		time.Sleep(5*time.Millisecond + time.Duration(len(in.Input))*200*time.Microsecond)
		out := openai.EmbeddingResponse{Object: "list", Model: model}
		for i, text := range in.Input {
			v := make([]float32, 24)
			for j, c := range []byte(text) {
				v[(j+int(c))%24] += float32(c%17) / 64
			}
			out.Data = append(out.Data, openai.Embedding{Object: "embedding", Embedding: v, Index: i})
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(out)
	})
	go http.Serve(ln, mux)
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
