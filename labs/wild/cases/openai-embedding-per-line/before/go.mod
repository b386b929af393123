module wild/openai-embedding-per-line

go 1.26.0

require (
	github.com/sashabaranov/go-openai v1.43.0
	wild/service v0.0.0
)

replace wild/service => ../../service
