// The photo archive of a team over WebDAV: file managers list an album, which asks for all properties
// of each photo. What there is, and of which kind, is known here; the photos, named by their content, lie
// in an object store, a process of its own, which takes 2 ms to its first byte.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"path"
	"sort"
	"strings"
	"time"

	"golang.org/x/net/webdav"

	"wild/service"
)

const albums, photos = 6, 16

// object is a photo or an album, as the index knows it.
type object struct {
	Path    string    `json:"path"`
	Type    string    `json:"type"` // empty for an album
	Bytes   int64     `json:"bytes"`
	Changed time.Time `json:"changed"`
}

func (o object) Name() string       { return path.Base(o.Path) }
func (o object) Size() int64        { return o.Bytes }
func (o object) ModTime() time.Time { return o.Changed }
func (o object) IsDir() bool        { return o.Type == "" }
func (o object) Sys() any           { return nil }

func (o object) Mode() os.FileMode {
	if o.IsDir() {
		return os.ModeDir | 0o555
	}
	return 0o444
}

// typed says its kind, too.
type typed struct{ object }

func (t typed) ContentType(context.Context) (string, error) { return t.Type, nil }

// archive is what the index and the store hold.
type archive struct {
	index map[string]object
	below map[string][]object
	store *http.Client
	url   string
}

func open(url string) (*archive, error) {
	a := &archive{
		index: map[string]object{"/": {Path: "/"}}, below: map[string][]object{}, url: url,
		store: &http.Client{Timeout: 5 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 64}},
	}
	resp, err := a.store.Get(url + "/index")
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	var all []object
	if err := json.NewDecoder(resp.Body).Decode(&all); err != nil {
		return nil, err
	}
	for _, o := range all {
		a.index[o.Path] = o
		dir := path.Dir(o.Path)
		a.below[dir] = append(a.below[dir], o)
	}
	for _, below := range a.below {
		sort.Slice(below, func(i, j int) bool { return below[i].Path < below[j].Path })
	}
	return a, nil
}

func (a *archive) find(name string) (object, error) {
	o, ok := a.index[path.Clean("/"+name)]
	if !ok {
		return object{}, os.ErrNotExist
	}
	return o, nil
}

func describe(o object) os.FileInfo {
	if service.After() && !o.IsDir() {
		return typed{o}
	}
	return o
}

func (a *archive) Stat(_ context.Context, name string) (os.FileInfo, error) {
	o, err := a.find(name)
	if err != nil {
		return nil, err
	}
	return describe(o), nil
}

func (a *archive) OpenFile(ctx context.Context, name string, flag int, _ os.FileMode) (webdav.File, error) {
	if flag&(os.O_WRONLY|os.O_RDWR|os.O_CREATE) != 0 {
		return nil, os.ErrPermission
	}
	o, err := a.find(name)
	if err != nil {
		return nil, err
	}
	return &photo{ctx: ctx, archive: a, object: o}, nil
}

func (a *archive) Mkdir(context.Context, string, os.FileMode) error        { return os.ErrPermission }
func (a *archive) RemoveAll(context.Context, string) error                 { return os.ErrPermission }
func (a *archive) Rename(_ context.Context, oldName, newName string) error { return os.ErrPermission }

// photo is an open file: the store is asked when it is read.
type photo struct {
	ctx     context.Context
	archive *archive
	object  object
	at      int64
}

func (p *photo) Stat() (os.FileInfo, error) { return describe(p.object), nil }
func (p *photo) Write([]byte) (int, error)  { return 0, os.ErrPermission }
func (p *photo) Close() error               { return nil }

func (p *photo) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += p.at
	case io.SeekEnd:
		offset += p.object.Bytes
	}
	if offset < 0 {
		return p.at, os.ErrInvalid
	}
	p.at = offset
	return offset, nil
}

func (p *photo) Readdir(int) ([]os.FileInfo, error) {
	var all []os.FileInfo
	for _, o := range p.archive.below[p.object.Path] {
		all = append(all, describe(o))
	}
	return all, nil
}

func (p *photo) Read(b []byte) (int, error) {
	if p.at >= p.object.Bytes {
		return 0, io.EOF
	}
	req, err := http.NewRequestWithContext(p.ctx, http.MethodGet, p.archive.url+"/objects"+p.object.Path, nil)
	if err != nil {
		return 0, err
	}
	last := min(p.at+int64(len(b)), p.object.Bytes) - 1
	req.Header.Set("Range", fmt.Sprintf("bytes=%d-%d", p.at, last))
	resp, err := p.archive.store.Do(req)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusPartialContent {
		return 0, fmt.Errorf("read %s: %s", p.object.Path, resp.Status)
	}
	n, err := io.ReadFull(resp.Body, b[:last+1-p.at])
	p.at += int64(n)
	return n, err
}

func main() {
	if os.Getenv("ROLE") == "store" {
		serve()
		return
	}
	a, err := open("http://" + service.Beside("store"))
	if err != nil {
		log.Fatal(err)
	}
	h := &webdav.Handler{
		Prefix:     "/team",
		FileSystem: a,
		LockSystem: webdav.NewMemLS(),
		Logger: func(r *http.Request, err error) {
			if err != nil && !errors.Is(err, os.ErrNotExist) {
				log.Printf("%s %s: %v", r.Method, r.URL.Path, err)
			}
		},
	}
	http.Handle("/team/", h)
	service.Run(http.DefaultServeMux)
}

// serve is the store.
func serve() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	kinds := []string{"image/x-canon-cr3", "image/jpeg", "image/x-nikon-nef"}
	changed := time.Date(2026, 11, 3, 9, 0, 0, 0, time.UTC)
	var all []object
	for i := range albums {
		album := fmt.Sprintf("/album-%d", i)
		all = append(all, object{Path: album, Changed: changed})
		for j := range photos {
			name := fmt.Sprintf("%s/%x", album, 0x9e3779b9*(uint64(i*photos+j)+1))
			all = append(all, object{name, kinds[j%len(kinds)], 4096, changed.Add(time.Duration(j) * time.Minute)})
		}
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /index", func(w http.ResponseWriter, r *http.Request) { json.NewEncoder(w).Encode(all) })
	content := strings.Repeat("\x00\x01raw\xff", 4096)[:4096]
	mux.HandleFunc("GET /objects/", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(2 * time.Millisecond)
		http.ServeContent(w, r, "", changed, strings.NewReader(content))
	})
	go http.Serve(ln, mux)
	fmt.Println(ln.Addr())
	io.Copy(io.Discard, os.Stdin) // ends with its parent
}
