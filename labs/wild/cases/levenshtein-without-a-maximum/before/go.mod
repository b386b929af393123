module wild/levenshtein-without-a-maximum

go 1.26.0

require wild/service v0.0.0

require github.com/agext/levenshtein v1.2.3

replace wild/service => ../../service
