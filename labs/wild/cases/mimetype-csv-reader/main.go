// The contents of the archives that customers hand in: which files are in one, how large
// they are and of what kind, which mimetype tells from how each begins.
package main

import (
	"archive/tar"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"strconv"

	"github.com/gabriel-vasile/mimetype"

	"wild/service"
)

const (
	archives = 16
	files    = 40
)

type file struct {
	Name string `json:"name"`
	Size int64  `json:"size"`
	Kind string `json:"kind"`
}

func main() {
	// Some tables begin with long comments.
	mimetype.SetLimit(16 << 10)
	var kept [][]byte
	for i := range archives {
		b, err := archive(i)
		if err != nil {
			log.Fatal(err)
		}
		kept = append(kept, b)
	}
	http.HandleFunc("/contents", func(w http.ResponseWriter, r *http.Request) {
		n, err := strconv.Atoi(r.URL.Query().Get("archive"))
		if err != nil || n < 0 || n >= len(kept) {
			http.Error(w, "no such archive", http.StatusNotFound)
			return
		}
		list, err := contents(bytes.NewReader(kept[n]))
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(list)
	})
	service.Run(http.DefaultServeMux)
}

func contents(r io.Reader) ([]file, error) {
	var list []file
	for tr := tar.NewReader(r); ; {
		h, err := tr.Next()
		if errors.Is(err, io.EOF) {
			return list, nil
		} else if err != nil {
			return nil, err
		}
		kind, err := mimetype.DetectReader(tr)
		if err != nil {
			return nil, err
		}
		list = append(list, file{h.Name, h.Size, kind.String()})
	}
}

// archive is one as customers hand in: tables, and a picture and a note now and then.
func archive(n int) ([]byte, error) {
	var b bytes.Buffer
	tw := tar.NewWriter(&b)
	for i := range files {
		name, text := fmt.Sprintf("table-%d.csv", i), new(bytes.Buffer)
		switch {
		case i%10 == 3:
			name = fmt.Sprintf("picture-%d.png", i)
			text.WriteString("\x89PNG\r\n\x1a\n")
			text.Write(make([]byte, 8<<10))
		case i%10 == 7:
			name = fmt.Sprintf("note-%d.txt", i)
			for range 40 {
				text.WriteString("The figures of the branch were late again\n")
			}
		default:
			text.WriteString("date,branch,article,count,price,remark\n")
			for j := range 120 {
				fmt.Fprintf(text, "2026-%02d-%02d,%d,sku-%d,%d,%d.50,\"sent, paid\"\n", 1+j%12, 1+j%28, n, i*j, j%9, j*7%90)
			}
		}
		if err := tw.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: int64(text.Len())}); err != nil {
			return nil, err
		}
		if _, err := tw.Write(text.Bytes()); err != nil {
			return nil, err
		}
	}
	return b.Bytes(), tw.Close()
}
