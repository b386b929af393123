module wild/pdf-charmap-per-font-switch

go 1.26.0

require (
	github.com/jung-kurt/gofpdf v1.16.2
	github.com/ledongthuc/pdf v0.0.0-20250511090121-5959a4027728
	golang.org/x/image v0.30.0
	wild/service v0.0.0
)

replace wild/service => ../../service
