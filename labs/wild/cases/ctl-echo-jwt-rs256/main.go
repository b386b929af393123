// A token service: each request gets a token that is signed with RSA, which is what
// the work is.
package main

import (
	"crypto/rand"
	"crypto/rsa"
	"log"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/labstack/echo/v4"

	"wild/service"
)

func main() {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		log.Fatal(err)
	}
	var seq atomic.Int64
	e := echo.New()
	e.GET("/token", func(c echo.Context) error {
		now := time.Now()
		text, err := jwt.NewWithClaims(jwt.SigningMethodRS256, jwt.RegisteredClaims{
			Subject: "user-" + strconv.FormatInt(seq.Add(1)%1000, 10), IssuedAt: jwt.NewNumericDate(now),
			ExpiresAt: jwt.NewNumericDate(now.Add(time.Hour)),
		}).SignedString(key)
		if err != nil {
			return err
		}
		return c.JSON(http.StatusOK, map[string]string{"token": text})
	})
	service.Run(e)
}
