module wild/ed25519-one-by-one

go 1.26.0

require (
	github.com/hdevalence/ed25519consensus v0.2.0
	wild/service v0.0.0
)

require filippo.io/edwards25519 v1.0.0 // indirect

replace wild/service => ../../service
