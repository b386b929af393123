module wild/fsnotify-reload-per-write

go 1.26.0

require (
	github.com/fsnotify/fsnotify v1.10.1
	wild/service v0.0.0
)

require golang.org/x/sys v0.13.0 // indirect

replace wild/service => ../../service
