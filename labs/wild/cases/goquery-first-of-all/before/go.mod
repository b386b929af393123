module wild/goquery-first-of-all

go 1.26.0

require (
	github.com/PuerkitoBio/goquery v1.12.0
	github.com/labstack/echo/v4 v4.13.4
	wild/service v0.0.0
)

require (
	github.com/andybalholm/cascadia v1.3.3 // indirect
	github.com/labstack/gommon v0.4.2 // indirect
	github.com/mattn/go-colorable v0.1.14 // indirect
	github.com/mattn/go-isatty v0.0.20 // indirect
	github.com/valyala/bytebufferpool v1.0.0 // indirect
	github.com/valyala/fasttemplate v1.2.2 // indirect
	golang.org/x/crypto v0.49.0 // indirect
	golang.org/x/net v0.52.0 // indirect
	golang.org/x/sys v0.42.0 // indirect
	golang.org/x/text v0.35.0 // indirect
	golang.org/x/time v0.11.0 // indirect
)

replace wild/service => ../../service
