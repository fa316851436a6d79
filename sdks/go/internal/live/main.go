// Command live uses a running Paydesk once with every call, and prints what it found as JSON: npm test compares it.
//
// PAYDESK_URL, PAYDESK_CLIENT_ID and PAYDESK_CLIENT_SECRET name the service; PAYDESK_LIVE is a JSON object that names what
// the test has prepared there.
package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"log"
	"net/http"
	"os"
	"sort"
	"strconv"
	"strings"

	"paydesk.example/paydesk"
)

type members = map[string]any

var (
	ctx  = context.Background()
	live struct {
		Prefix            string
		PaidOrderNo       string `json:"paid_order_no"`
		ExternalReference string `json:"external_reference"`
		SettlementPTK     string `json:"settlement_ptk"`
		Headers           map[string]string
		BodyBase64        string `json:"body_base64"`
		Secret            string
		UserToken         string `json:"user_token"`
		GdNo              string `json:"gd_no"`
		PaymentNo         string `json:"payment_no"`
	}
	result = members{}
	client *paydesk.Client
)

// must ends the program with an error.
func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func main() {
	if err := json.Unmarshal([]byte(os.Getenv("PAYDESK_LIVE")), &live); err != nil {
		log.Fatal(err)
	}
	tokens := 0
	client = must(paydesk.New(paydesk.Config{
		BaseURL:      os.Getenv("PAYDESK_URL"),
		ClientID:     os.Getenv("PAYDESK_CLIENT_ID"),
		ClientSecret: os.Getenv("PAYDESK_CLIENT_SECRET"),
		OnAttempt: func(attempt paydesk.Attempt) {
			if strings.HasSuffix(attempt.URL, "/oauth/token") {
				tokens++
			}
		},
	}))
	collection(live.Prefix + "-go")
	payment()
	catalog()
	result["tokens"] = tokens
	if err := json.NewEncoder(os.Stdout).Encode(result); err != nil {
		log.Fatal(err)
	}
}

func refusal(err error) []any {
	var failure *paydesk.Error
	if !errors.As(err, &failure) {
		return []any{}
	}
	if failure.Field == "" {
		return []any{failure.Status, failure.Code}
	}
	return []any{failure.Status, failure.Code, failure.Field}
}

func collection(prefix string) {
	off := false
	input := func(name, amount string) paydesk.CreateOrder {
		return paydesk.CreateOrder{ExternalReference: prefix + name, IdempotencyKey: prefix + name, Amount: amount,
			Currency: "USD", NotifyEnabled: &off}
	}
	order := must(client.CreateOrder(ctx, input("-1", "10.00")))
	read := must(client.GetOrder(ctx, order.OrderNo))
	second := must(client.CreateOrder(ctx, input("-2", "10.00")))
	paged := []string{}
	orders := client.Orders(ctx, paydesk.OrderRange{PageSize: 2})
	for orders.Next() {
		if strings.HasPrefix(orders.Value().ExternalReference, prefix+"-") {
			paged = append(paged, orders.Value().ExternalReference)
		}
	}
	must(0, orders.Err())
	listed := []bool{}
	for _, one := range must(client.ListOrders(ctx, paydesk.OrderFilter{ExternalReference: prefix + "-2"})) {
		listed = append(listed, one.OrderNo == second.OrderNo)
	}
	providers := []string{}
	for _, channel := range must(client.Channels(ctx)) {
		providers = append(providers, channel.Provider)
	}
	sort.Strings(providers)
	_, conflict := client.CreateOrder(ctx, input("-1", "11.00"))
	_, invalid := client.CreateOrder(ctx, input("-3", "1e3"))
	_, missing := client.GetOrder(ctx, "mp_00000000000000000000000000")
	result["created"] = []any{order.ExternalReference, order.Amount, order.AmountMinor, order.Currency, order.Status}
	result["again"] = must(client.CreateOrder(ctx, input("-1", "10.00"))).OrderNo == order.OrderNo
	result["conflict"] = refusal(conflict)
	result["invalid"] = refusal(invalid)
	result["read"] = []any{read.OrderNo == order.OrderNo, read.Status, read.FeeStatus, paydesk.IsPaid(read.Status)}
	result["missing"] = refusal(missing)
	result["listed"] = listed
	result["paged"] = paged
	result["channels"] = providers
}

func payment() {
	order := must(client.GetOrder(ctx, live.PaidOrderNo))
	var paid paydesk.DeliveryRecord
	for _, record := range must(client.Notifications(ctx, order.OrderNo, 0)) {
		var event paydesk.Notification
		if json.Unmarshal(record.Event, &event) == nil && event.Data.Status == "paid" {
			paid = record
		}
	}
	must(0, client.RetryNotification(ctx, order.OrderNo, paid.EventID))
	header := http.Header{}
	for name, value := range live.Headers {
		header.Set(name, value)
	}
	body := must(base64.StdEncoding.DecodeString(live.BodyBase64))
	verifier := paydesk.Verifier{Secrets: []string{live.Secret}}
	own := must(verifier.Verify(header, body))
	standard := must(verifier.VerifyStandard(header, body))
	expected := paydesk.Expected{ExternalReference: live.ExternalReference, Amount: "10", Currency: "USD"}
	first := paydesk.DecidePosting(nil, own.Data.State(), expected)
	stored := &paydesk.StoredState{StatusVersion: order.StatusVersion, PostedEventID: first.EventID}
	result["paid"] = []any{order.Status, order.EventID == first.EventID, order.SettlementPTK == live.SettlementPTK}
	result["delivered"] = []any{paid.DeliveryStatus, paid.EventID == standard.ID}
	result["posting"] = []any{first.Action, paydesk.DecidePosting(stored, order.State(), expected).Action}
}

func catalog() {
	person := client.CatalogAs(live.UserToken)
	orderNo := must(person.CreateOrder(ctx, paydesk.CreateCatalogOrder{GdNo: live.GdNo, Quantity: 2, PaymentNo: live.PaymentNo}))
	pending := must(person.GetOrder(ctx, orderNo))
	session := must(person.StartPayment(ctx, orderNo, live.PaymentNo))
	names := []string{}
	products := client.Catalog.Products(ctx, paydesk.ProductFilter{Limit: 1})
	for products.Next() {
		names = append(names, products.Value().GdName)
	}
	must(0, products.Err())
	sort.Strings(names)
	one := must(client.Catalog.ListProducts(ctx, paydesk.ProductFilter{GdNo: live.GdNo}))
	page := must(person.ListProducts(ctx, paydesk.ProductFilter{Limit: 1}))
	result["merchant"] = must(client.Catalog.Merchant(ctx)).Name
	result["products"] = names
	result["price"] = strconv.FormatInt(one.List[0].ActualPrice, 10)
	result["page"] = []int{len(page.List), must(client.Catalog.ListProducts(ctx, paydesk.ProductFilter{})).Total}
	result["ordered"] = []any{pending.Status, pending.Quantity, strconv.FormatInt(pending.TotalAmount, 10)}
	result["session"] = []bool{session.TradeNo != "", session.Redirect != "", session.ExpireTime > 0}
	result["status"] = must(person.PaymentStatus(ctx, orderNo))
	result["person"] = must(client.UserInfo(ctx, live.UserToken)).Sub
}
