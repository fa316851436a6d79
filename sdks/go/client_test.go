package paydesk

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"
)

type members = map[string]any

type clientVector struct {
	Name            string
	Options         map[string]json.RawMessage
	RejectedOptions bool `json:"rejected_options"`
	Random          *float64
	Answers         []answer
	TokenAnswers    []answer `json:"token_answers"`
	Calls           []vectorCall
	Requests        *[]members
	TokenRequests   *[]members `json:"token_requests"`
	TokenCount      *int       `json:"token_request_count"`
	WaitsMs         *[]float64 `json:"waits_ms"`
	Attempts        *[]members
	NeverShown      []string `json:"never_shown"`
}

type answer struct {
	Status  int
	Headers map[string]string
	Body    json.RawMessage
	Text    *string
	Fault   string
}

type vectorCall struct {
	Call          string
	Args          json.RawMessage
	AdvanceMs     int64 `json:"advance_ms"`
	Result        any
	Error         members
	Refused       bool
	Authorization members
}

// bench is a client whose requests get scripted answers, under a clock that waiting moves.
type bench struct {
	t        *testing.T
	now      time.Time
	requests []members
	tokens   []members
	waits    []float64
	attempts []Attempt
	api      []answer
	oauth    []answer
}

type lateError struct{}

func (lateError) Error() string { return "late" }
func (lateError) Timeout() bool { return true }

// RoundTrip answers a request of the client.
func (b *bench) RoundTrip(r *http.Request) (*http.Response, error) {
	sent, _ := io.ReadAll(r.Body)
	address := r.URL.Scheme + "://" + r.URL.Host + r.URL.EscapedPath()
	queue := &b.api
	if r.Header.Get("Content-Type") == "application/x-www-form-urlencoded" {
		form, _ := url.ParseQuery(string(sent))
		b.tokens = append(b.tokens, members{"url": address, "form": flat(form)})
		queue = &b.oauth
	} else {
		seen := members{"method": r.Method, "url": address, "token": strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")}
		if r.URL.RawQuery != "" {
			seen["query"] = flat(r.URL.Query())
		}
		if len(sent) > 0 {
			seen["body"] = jsonOf(b.t, sent)
		}
		if (r.Header.Get("Content-Type") == "application/json") != (len(sent) > 0) {
			b.t.Errorf("the media type of %s is %q", sent, r.Header.Get("Content-Type"))
		}
		b.requests = append(b.requests, seen)
	}
	token := fmt.Sprintf(`{"access_token":"token-%d","token_type":"Bearer","expires_in":3600}`, len(b.tokens))
	given := answer{Status: 200, Body: json.RawMessage(token)}
	if len(*queue) > 0 {
		given = (*queue)[0]
	}
	if len(*queue) > 1 {
		*queue = (*queue)[1:]
	}
	switch given.Fault {
	case "connection":
		return nil, errors.New("reset")
	case "timeout":
		return nil, lateError{}
	}
	text := string(given.Body)
	if given.Text != nil {
		text = *given.Text
	}
	header := http.Header{}
	for name, value := range given.Headers {
		header.Set(name, value)
	}
	return &http.Response{StatusCode: given.Status, Header: header, Body: io.NopCloser(strings.NewReader(text)), Request: r}, nil
}

func flat(values url.Values) members {
	found := members{}
	for name := range values {
		found[name] = values.Get(name)
	}
	return found
}

// jsonOf reads JSON with numbers as their digits.
func jsonOf(t *testing.T, text []byte) any {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return value
}

func (b *bench) config(vector clientVector) Config {
	config := Config{
		BaseURL: "https://pay.example/prefix/", ClientID: "c1", ClientSecret: "client-secret-never-shown",
		HTTPClient: &http.Client{Transport: b},
		OnAttempt:  func(attempt Attempt) { b.attempts = append(b.attempts, attempt) },
		now:        func() time.Time { return b.now },
		sleep: func(_ context.Context, wait time.Duration) error {
			b.waits = append(b.waits, float64(wait)/float64(time.Millisecond))
			b.now = b.now.Add(wait)
			return nil
		},
		random: func() float64 {
			if vector.Random != nil {
				return *vector.Random
			}
			return 1
		},
	}
	var timeout int64
	for name, into := range map[string]any{
		"client_id": &config.ClientID, "client_secret": &config.ClientSecret,
		"base_url": &config.BaseURL, "token_endpoint": &config.TokenEndpoint, "timeout_ms": &timeout,
		"authorization_endpoint": &config.AuthorizationEndpoint, "userinfo_endpoint": &config.UserinfoEndpoint,
		"allow_plain_http": &config.AllowPlainHTTP, "max_attempts": &config.MaxAttempts} {
		if raw, has := vector.Options[name]; has {
			if err := json.Unmarshal(raw, into); err != nil {
				b.t.Fatal(err)
			}
		}
	}
	config.Timeout = time.Duration(timeout) * time.Millisecond
	return config
}

// args are the members of all calls.
type args struct {
	OrderNo           string    `json:"order_no"`
	EventID           string    `json:"event_id"`
	ExternalReference string    `json:"external_reference"`
	PaymentNo         string    `json:"payment_no"`
	UserToken         string    `json:"user_token"`
	GdNo              string    `json:"gd_no"`
	SearchValue       string    `json:"search_value"`
	CreatedFrom       time.Time `json:"created_from"`
	CreatedTo         time.Time `json:"created_to"`
	Limit             int
	Page              int
	Code              string
	CodeVerifier      string `json:"code_verifier"`
	RedirectURI       string `json:"redirect_uri"`
	State             string
	Nonce             string
	Scope             any
}

func all[T any](items *Iterator[T]) ([]T, error) {
	found := []T{}
	for items.Next() {
		found = append(found, items.Value())
	}
	return found, items.Err()
}

// run makes a call by the name that it has in the vectors.
func run(client *Client, name string, raw json.RawMessage) (any, error) {
	ctx := context.Background()
	var a args
	if err := json.Unmarshal(raw, &a); err != nil {
		return nil, err
	}
	as := client.CatalogAs(a.UserToken)
	products := ProductFilter{GdNo: a.GdNo, SearchValue: a.SearchValue, Page: a.Page, Limit: a.Limit}
	switch name {
	case "create_order":
		var input CreateOrder
		if err := json.Unmarshal(raw, &input); err != nil {
			return nil, err
		}
		return client.CreateOrder(ctx, input)
	case "get_order":
		return client.GetOrder(ctx, a.OrderNo)
	case "list_orders":
		return client.ListOrders(ctx, OrderFilter{a.ExternalReference, a.OrderNo, a.Limit})
	case "orders":
		return all(client.Orders(ctx, OrderRange{a.CreatedFrom, a.CreatedTo, a.Limit}))
	case "channels":
		return client.Channels(ctx)
	case "notifications":
		return client.Notifications(ctx, a.OrderNo, a.Limit)
	case "retry_notification":
		return members{"accepted": true}, client.RetryNotification(ctx, a.OrderNo, a.EventID)
	case "catalog.merchant":
		return client.Catalog.Merchant(ctx)
	case "catalog.list_products":
		return as.ListProducts(ctx, products)
	case "catalog.products":
		return all(client.Catalog.Products(ctx, products))
	case "catalog.create_order":
		var input CreateCatalogOrder
		if err := json.Unmarshal(raw, &input); err != nil {
			return nil, err
		}
		orderNo, err := as.CreateOrder(ctx, input)
		return members{"order_no": orderNo}, err
	case "catalog.get_order":
		return as.GetOrder(ctx, a.OrderNo)
	case "catalog.start_payment":
		return as.StartPayment(ctx, a.OrderNo, a.PaymentNo)
	case "catalog.payment_status":
		status, err := as.PaymentStatus(ctx, a.OrderNo)
		return members{"status": status}, err
	case "exchange_code":
		return client.ExchangeCode(ctx, CodeInput{a.Code, a.RedirectURI, a.CodeVerifier})
	case "user_info":
		info, err := client.UserInfo(ctx, a.UserToken)
		if err != nil {
			return nil, err
		}
		return info.Claims, nil
	case "authorization_url":
		return client.AuthorizationURL(AuthorizationInput{a.RedirectURI, scopes(a.Scope), a.State, a.Nonce})
	}
	return nil, errors.New("unknown call " + name)
}

func scopes(given any) []string {
	if text, is := given.(string); is {
		return []string{text}
	}
	found := []string{}
	for _, one := range given.([]any) {
		found = append(found, one.(string))
	}
	return found
}

// contains compares the members of expected; a time may be written in another way, and digits may be a number.
func contains(actual, expected any) bool {
	switch wanted := expected.(type) {
	case members:
		given, is := actual.(members)
		for name, value := range wanted {
			if !is || !contains(given[name], value) {
				return false
			}
		}
		return is
	case []any:
		given, is := actual.([]any)
		if !is || len(given) != len(wanted) {
			return false
		}
		for i := range wanted {
			if !contains(given[i], wanted[i]) {
				return false
			}
		}
		return true
	case string:
		if digits, is := actual.(json.Number); is {
			return digits.String() == wanted
		}
		given, _ := actual.(string)
		wantedTime, errWanted := time.Parse(time.RFC3339, wanted)
		givenTime, errGiven := time.Parse(time.RFC3339, given)
		return given == wanted || (errWanted == nil && errGiven == nil && wantedTime.Equal(givenTime))
	}
	return reflect.DeepEqual(actual, expected)
}

func (b *bench) check(client *Client, call vectorCall, raw members) string {
	b.now = b.now.Add(time.Duration(call.AdvanceMs) * time.Millisecond)
	value, err := run(client, call.Call, call.Args)
	var failure *Error
	switch {
	case raw["result"] != nil:
		text, _ := json.Marshal(value)
		if err != nil || !contains(jsonOf(b.t, text), raw["result"]) {
			b.t.Errorf("%s gives %s (%v) instead of %v", call.Call, text, err, raw["result"])
		}
	case call.Error != nil:
		if !errors.As(err, &failure) {
			b.t.Fatalf("%s gives %v (%v) instead of an error", call.Call, value, err)
		}
		for name, wanted := range call.Error {
			if given := errorMember(failure, name); fmt.Sprint(given) != fmt.Sprint(wanted) {
				b.t.Errorf("%s of the error is %v instead of %v", name, given, wanted)
			}
		}
	case call.Refused:
		if !errors.Is(err, ErrArgument) {
			b.t.Errorf("%s gives %v instead of a refusal", call.Call, err)
		}
	default:
		b.checkAuthorization(value.(*AuthorizationRequest), call.Authorization)
	}
	return fmt.Sprintf("%v %+v %#v %v", err, err, err, errors.Unwrap(err))
}

func errorMember(failure *Error, name string) any {
	texts := map[string]string{"code": failure.Code, "description": failure.Description, "field": failure.Field,
		"request_id": failure.RequestID}
	switch {
	case name == "status":
		return failure.Status
	case name == "retry_after_s" && failure.RetryAfter != nil:
		return failure.RetryAfter.Seconds()
	case texts[name] == "":
		return nil
	}
	return texts[name]
}

func (b *bench) checkAuthorization(asked *AuthorizationRequest, wanted members) {
	address, _ := url.Parse(asked.URL)
	query := flat(address.Query())
	challenge, _ := query["code_challenge"].(string)
	delete(query, "code_challenge")
	found := members{"url": address.Scheme + "://" + address.Host + address.Path, "query": query}
	if !reflect.DeepEqual(found, wanted) || len(challenge) != 43 || len(asked.CodeVerifier) != 43 || asked.State != query["state"] {
		b.t.Errorf("got %v instead of %v", found, wanted)
	}
}

func TestClient(t *testing.T) {
	var file struct{ Vectors []clientVector }
	read(t, "client", &file)
	text, _ := os.ReadFile("../../packages/sdk/vectors/client.json")
	raw := jsonOf(t, text).(members)["vectors"].([]any)
	for i, vector := range file.Vectors {
		t.Run(vector.Name, func(t *testing.T) {
			b := &bench{t: t, now: time.UnixMilli(1_000_000), api: vector.Answers, oauth: vector.TokenAnswers}
			client, err := New(b.config(vector))
			if vector.RejectedOptions {
				if !errors.Is(err, ErrArgument) {
					t.Errorf("the options are accepted: %v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			printed := fmt.Sprintf("%v %+v %#v", client, client, client)
			calls := raw[i].(members)["calls"].([]any)
			for j, call := range vector.Calls {
				printed += b.check(client, call, calls[j].(members))
			}
			b.compare(vector, raw[i].(members), printed)
		})
	}
}

func (b *bench) compare(vector clientVector, raw members, printed string) {
	same := func(what string, actual any) {
		text, _ := json.Marshal(actual)
		if found := jsonOf(b.t, text); !reflect.DeepEqual(found, raw[what]) {
			b.t.Errorf("%s are %s instead of %v", what, text, raw[what])
		}
	}
	if vector.Requests != nil {
		same("requests", append([]members{}, b.requests...))
	}
	if vector.TokenRequests != nil {
		same("token_requests", b.tokens)
	}
	if vector.TokenCount != nil {
		same("token_request_count", len(b.tokens))
	}
	if vector.WaitsMs != nil {
		same("waits_ms", append([]float64{}, b.waits...))
	}
	if vector.Attempts != nil {
		same("attempts", attemptsAsTold(b.attempts))
	}
	for _, text := range vector.NeverShown {
		if strings.Contains(printed, text) {
			b.t.Errorf("%s is shown: %s", text, printed)
		}
	}
}

func attemptsAsTold(attempts []Attempt) []members {
	found := []members{}
	for _, one := range attempts {
		told := members{"url": one.URL, "attempt": one.Attempt, "status": one.Status, "code": nil, "retry_in_ms": nil, "request_id": nil}
		if one.Code != "" {
			told["code"] = one.Code
		}
		if one.RetryIn != nil {
			told["retry_in_ms"] = one.RetryIn.Milliseconds()
		}
		if one.RequestID != "" {
			told["request_id"] = one.RequestID
		}
		found = append(found, told)
	}
	return found
}
