module wild/snowflake-few-steps

go 1.23

require wild/service v0.0.0

require github.com/bwmarrin/snowflake v0.3.0

replace wild/service => ../../service
