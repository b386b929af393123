module wild/gozxing-try-harder

go 1.26.0

require (
	github.com/makiuchi-d/gozxing v0.1.1
	wild/service v0.0.0
)

require golang.org/x/xerrors v0.0.0-20200804184101-5ec99f83aff1 // indirect

replace wild/service => ../../service
