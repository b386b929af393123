module wild/bls12381-one-engine-for-all

go 1.26.0

require (
	github.com/kilic/bls12-381 v0.1.0
	wild/service v0.0.0
)

require golang.org/x/sys v0.0.0-20201101102859-da207088b7d1 // indirect

replace wild/service => ../../service
