// Thumbnails: a picture is made small and encoded, as many at once as there are
// processors' worth of requests.
package main

import (
	"image"
	"image/color"
	"net/http"

	"github.com/disintegration/imaging"

	"wild/service"
)

func main() {
	picture := image.NewNRGBA(image.Rect(0, 0, 640, 480))
	for y := range 480 {
		for x := range 640 {
			picture.SetNRGBA(x, y, color.NRGBA{R: uint8(x), G: uint8(y), B: uint8(x ^ y), A: 255})
		}
	}
	http.HandleFunc("/thumbnail", func(w http.ResponseWriter, r *http.Request) {
		small := imaging.Resize(picture, 160, 0, imaging.Lanczos)
		w.Header().Set("Content-Type", "image/jpeg")
		imaging.Encode(w, small, imaging.JPEG, imaging.JPEGQuality(80))
	})
	service.Run(http.DefaultServeMux)
}
