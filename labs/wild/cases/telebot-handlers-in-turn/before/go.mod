module wild/telebot-handlers-in-turn

go 1.26.0

require (
	gopkg.in/telebot.v3 v3.3.8
	wild/service v0.0.0
)

replace wild/service => ../../service
