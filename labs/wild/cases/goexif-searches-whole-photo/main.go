// When photos were taken: an importer names photos of a store, and gets the day and the camera of each, where the photo
// has them. Those that came through a messenger have lost them.
package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"io"
	"log"
	"math/rand/v2"
	"net/http"

	"github.com/bep/imagemeta"
	exif "github.com/dsoprea/go-exif/v3"

	"wild/service"
)

// taken is what a photo says of itself.
type taken struct {
	Photo  string `json:"photo"`
	Day    string `json:"day,omitempty"`
	Camera string `json:"camera,omitempty"`
}

func (t *taken) set(tag, value string) {
	switch tag {
	case "DateTime", "ModifyDate":
		t.Day = value
	case "Model":
		t.Camera = value
	}
}

// searched finds the block of a photo wherever it is, and reads its tags.
func searched(name string, photo []byte) (taken, error) {
	t := taken{Photo: name}
	block, err := exif.SearchAndExtractExif(photo)
	if errors.Is(err, exif.ErrNoExif) {
		return t, nil
	} else if err != nil {
		return t, err
	}
	tags, _, err := exif.GetFlatExifData(block, nil)
	if err != nil {
		return t, err
	}
	for _, tag := range tags {
		t.set(tag.TagName, tag.FormattedFirst)
	}
	return t, nil
}

// walked goes from segment to segment of the JPEG until its picture begins.
func walked(name string, photo []byte) (taken, error) {
	t := taken{Photo: name}
	_, err := imagemeta.Decode(imagemeta.Options{
		R: bytes.NewReader(photo), ImageFormat: imagemeta.JPEG, Sources: imagemeta.EXIF,
		HandleTag: func(tag imagemeta.TagInfo) error {
			t.set(tag.Tag, fmt.Sprint(tag.Value))
			return nil
		},
	})
	return t, err
}

func main() {
	read := searched
	if service.After() {
		read = walked
	}
	photos := map[string][]byte{}
	for i := range 24 {
		data, err := photo(i)
		if err != nil {
			log.Fatal(err)
		}
		photos[fmt.Sprintf("p%02d", i)] = data
	}
	http.HandleFunc("POST /taken", func(w http.ResponseWriter, r *http.Request) {
		var names []string
		if err := json.NewDecoder(io.LimitReader(r.Body, 1<<16)).Decode(&names); err != nil || len(names) == 0 || len(names) > 50 {
			http.Error(w, "a list of up to 50 photos", http.StatusBadRequest)
			return
		}
		out := make([]taken, len(names))
		for i, name := range names {
			data, ok := photos[name]
			if !ok {
				http.Error(w, "no photo "+name, http.StatusNotFound)
				return
			}
			var err error
			if out[i], err = read(name, data); err != nil {
				http.Error(w, name+": "+err.Error(), http.StatusUnprocessableEntity)
				return
			}
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(out)
	})
	service.Run(http.DefaultServeMux)
}

// photo is a JPEG of noise; each third is as a messenger leaves it.
func photo(i int) ([]byte, error) {
	rng := rand.New(rand.NewPCG(uint64(i), 9))
	img := image.NewGray(image.Rect(0, 0, 480+i*8, 360))
	for p := range img.Pix {
		img.Pix[p] = uint8(rng.IntN(256))
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, img, &jpeg.Options{Quality: 90}); err != nil || i%3 == 2 {
		return b.Bytes(), err
	}
	block := tiff(fmt.Sprintf("Camera %d", i%5), fmt.Sprintf("2026:03:%02d 10:%02d:00", 1+i, i))
	segment := binary.BigEndian.AppendUint16([]byte{0xff, 0xd8, 0xff, 0xe1}, uint16(2+6+len(block)))
	segment = append(append(segment, "Exif\x00\x00"...), block...)
	return append(segment, b.Bytes()[2:]...), nil
}

// tiff is a block with a camera and a day.
func tiff(camera, day string) []byte {
	b := []byte("II\x2a\x00\x08\x00\x00\x00\x02\x00")
	at := uint32(8 + 2 + 2*12 + 4)
	var values []byte
	for _, t := range []struct {
		tag  uint16
		text string
	}{{0x0110, camera}, {0x0132, day}} {
		b = binary.LittleEndian.AppendUint16(b, t.tag)
		b = binary.LittleEndian.AppendUint16(b, 2)
		b = binary.LittleEndian.AppendUint32(b, uint32(len(t.text)+1))
		b = binary.LittleEndian.AppendUint32(b, at+uint32(len(values)))
		values = append(append(values, t.text...), 0)
	}
	return append(binary.LittleEndian.AppendUint32(b, 0), values...)
}
