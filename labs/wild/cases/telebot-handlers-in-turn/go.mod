module wild/telebot-handlers-in-turn

go 1.26.0

require wild/service v0.0.0

replace wild/service => ../../service
