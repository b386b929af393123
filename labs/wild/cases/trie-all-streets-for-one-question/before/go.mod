module wild/trie-all-streets-for-one-question

go 1.26.0

require (
	github.com/derekparker/trie/v3 v3.2.0
	wild/service v0.0.0
)

replace wild/service => ../../service
