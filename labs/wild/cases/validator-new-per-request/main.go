// Registration: what a client posts is validated by its struct tags.
package main

import (
	"encoding/json"
	"net/http"

	"github.com/go-playground/validator/v10"

	"wild/service"
)

type address struct {
	Street  string `json:"street" validate:"required,max=100"`
	City    string `json:"city" validate:"required,max=60"`
	Zip     string `json:"zip" validate:"required,numeric,len=5"`
	Country string `json:"country" validate:"required,len=2,alpha"`
}

type registration struct {
	Name      string    `json:"name" validate:"required,min=2,max=80"`
	Email     string    `json:"email" validate:"required,email"`
	Age       int       `json:"age" validate:"gte=18,lte=130"`
	Plan      string    `json:"plan" validate:"oneof=free team company"`
	Addresses []address `json:"addresses" validate:"required,min=1,max=5,dive"`
}

var shared = validator.New()

func fresh() *validator.Validate { return validator.New() }

func main() {
	validate := fresh
	if service.After() {
		validate = func() *validator.Validate { return shared }
	}
	http.HandleFunc("/register", func(w http.ResponseWriter, r *http.Request) {
		var reg registration
		if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<16)).Decode(&reg); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		if err := validate().Struct(&reg); err != nil {
			http.Error(w, err.Error(), http.StatusUnprocessableEntity)
			return
		}
		w.WriteHeader(http.StatusNoContent)
	})
	service.Run(http.DefaultServeMux)
}
