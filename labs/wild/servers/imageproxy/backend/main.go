// Command backend is the site whose photograph is shown smaller: 1200 by 800 pixels, as JPEG.
package main

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"log"
	"math"
	"math/rand/v2"
	"net/http"
	"os"
)

func main() {
	photo := photograph()
	http.HandleFunc("GET /photo.jpg", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "image/jpeg")
		w.Header().Set("Cache-Control", "max-age=86400")
		_, _ = w.Write(photo)
	})
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Args[1], nil))
}

// photograph is no picture of a thing, but has slopes, edges and noise as one has.
func photograph() []byte {
	random := rand.New(rand.NewPCG(1, 2))
	m := image.NewRGBA(image.Rect(0, 0, 1200, 800))
	for y := range 800 {
		for x := range 1200 {
			wave := 90 * math.Sin(float64(x)/37) * math.Cos(float64(y)/53)
			noise := random.IntN(24)
			m.SetRGBA(x, y, color.RGBA{
				R: uint8(110 + int(wave) + noise), G: uint8(x*200/1200 + noise), B: uint8((x/40+y/40)%2*60 + y*150/800 + noise), A: 255,
			})
		}
	}
	var out bytes.Buffer
	if err := jpeg.Encode(&out, m, &jpeg.Options{Quality: 90}); err != nil {
		log.Fatal(err)
	}
	return out.Bytes()
}
