package paydesk

import (
	"context"
	"math/rand"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Config is what a client needs. BaseURL, ClientID and ClientSecret are required.
type Config struct {
	// BaseURL is the API base address with its path prefix: HTTPS, or plain HTTP on loopback.
	BaseURL      string
	ClientID     string
	ClientSecret string
	// TokenEndpoint is by default /oauth/token below BaseURL.
	TokenEndpoint string
	// AuthorizationEndpoint is by default "authorize" beside the token endpoint.
	AuthorizationEndpoint string
	// UserinfoEndpoint is by default /oauth/userinfo below BaseURL.
	UserinfoEndpoint string
	// Scope is for collection orders; by default merchant_payments.create merchant_payments.read.
	Scope string
	// CatalogScope is for the profile and the products; by default merchant.profile.read products.read.
	CatalogScope string
	// Timeout limits a whole call with retries and waits; by default 30 s. A context can end a call earlier.
	Timeout time.Duration
	// AttemptTimeout limits one attempt; by default 10 s.
	AttemptTimeout time.Duration
	// MaxAttempts per call, with the first; by default 4.
	MaxAttempts int
	// OnAttempt is called after each attempt, for logs and metrics.
	OnAttempt func(Attempt)
	// AllowPlainHTTP allows plain HTTP to other hosts than loopback, for a network that is otherwise private.
	AllowPlainHTTP bool
	// HTTPClient is by default one of its own. Redirects are never followed.
	HTTPClient *http.Client

	now    func() time.Time
	sleep  func(context.Context, time.Duration) error
	random func() float64
}

// Client makes calls for a merchant's server. They fail with *Error. One client serves any number of goroutines. It keeps
// access tokens in memory and never shows them.
type Client struct {
	// Catalog has the merchant's profile and products. CatalogAs has orders of products for a person, too.
	Catalog *Catalog

	sender                sender
	send                  send
	credentials           credentials
	base                  string
	authorizationEndpoint string
	userinfoEndpoint      string
}

// New makes a client. The error wraps ErrArgument.
func New(config Config) (*Client, error) {
	if config.ClientID == "" {
		return nil, argumentError("ClientID must be a text that is not empty")
	}
	if config.ClientSecret == "" {
		return nil, argumentError("ClientSecret must be a text that is not empty")
	}
	base := strings.TrimRight(config.BaseURL, "/")
	endpoint := orElse(config.TokenEndpoint, base+"/oauth/token")
	authorization := config.AuthorizationEndpoint
	if authorization == "" {
		if at, err := url.Parse(endpoint); err == nil {
			authorization = at.ResolveReference(&url.URL{Path: "authorize"}).String()
		}
	}
	userinfo := orElse(config.UserinfoEndpoint, base+"/oauth/userinfo")
	for _, address := range []string{base, endpoint, authorization, userinfo} {
		if err := checkAddress(address, config.AllowPlainHTTP); err != nil {
			return nil, err
		}
	}
	env := environmentOf(config)
	s := sender{env, orElse(config.Timeout, 30*time.Second)}
	known := credentials{endpoint, config.ClientID, config.ClientSecret}
	tokensFor := func(scope string) *tokenSource { return newTokenSource(env, known, scope) }
	catalog := s.withTokens(tokensFor(orElse(config.CatalogScope, "merchant.profile.read products.read")))
	return &Client{
		Catalog:               &Catalog{catalog, base},
		sender:                s,
		send:                  s.withTokens(tokensFor(orElse(config.Scope, "merchant_payments.create merchant_payments.read"))),
		credentials:           known,
		base:                  base,
		authorizationEndpoint: authorization,
		userinfoEndpoint:      userinfo,
	}, nil
}

// String says nothing of the credentials.
func (c *Client) String() string { return "paydesk.Client " + c.base }

// GoString says nothing of the credentials.
func (c *Client) GoString() string { return c.String() }

func environmentOf(config Config) *environment {
	own := &http.Client{}
	if config.HTTPClient != nil {
		*own = *config.HTTPClient
	}
	// A redirect could send the token to another host, or change a POST to a GET.
	own.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	env := &environment{own, orElse(config.AttemptTimeout, 10*time.Second), orElse(config.MaxAttempts, 4),
		config.OnAttempt, config.now, config.sleep, config.random}
	if env.now == nil {
		env.now, env.sleep, env.random = time.Now, sleep, rand.Float64
	}
	return env
}

func orElse[T comparable](given, otherwise T) T {
	var none T
	if given == none {
		return otherwise
	}
	return given
}

// checkAddress tells whether an address is safe for credentials.
func checkAddress(text string, allowPlainHTTP bool) error {
	address, err := url.Parse(text)
	if err != nil || address.Hostname() == "" || address.User != nil {
		return argumentError("an address must be like https://pay.example")
	}
	host := address.Hostname()
	loopback := host == "127.0.0.1" || host == "::1" || host == "localhost"
	if address.Scheme == "https" || (address.Scheme == "http" && (loopback || allowPlainHTTP)) {
		return nil
	}
	return argumentError(address.Scheme + "://" + host + " must be HTTPS")
}

func (c *Client) orders() string { return c.base + "/openapi/v1/merchant-payments" }

func (c *Client) order(orderNo string) (string, error) {
	number, err := segment(orderNo)
	return c.orders() + "/" + number, err
}

// CreateOrder creates an order, or returns the one that the same IdempotencyKey created before. If the outcome is unknown,
// call it again with the same key and parameters: a new key could charge the buyer twice.
func (c *Client) CreateOrder(ctx context.Context, input CreateOrder) (*CreatedOrder, error) {
	order := &CreatedOrder{}
	if err := c.send(ctx, call{method: "POST", url: c.orders(), body: input}, order); err != nil {
		return nil, err
	}
	return order, order.check()
}

// GetOrder reads one order.
func (c *Client) GetOrder(ctx context.Context, orderNo string) (*CollectionOrder, error) {
	address, err := c.order(orderNo)
	if err != nil {
		return nil, err
	}
	order := &CollectionOrder{}
	if err := c.send(ctx, call{method: "GET", url: address}, order); err != nil {
		return nil, err
	}
	return order, order.check()
}

// ListOrders gives the orders of a reference or number: newest first, at most Limit.
func (c *Client) ListOrders(ctx context.Context, filter OrderFilter) ([]CollectionOrder, error) {
	orders, _, err := c.page(ctx, queryOf(map[string]string{
		"external_reference": filter.ExternalReference, "order_no": filter.OrderNo, "limit": number(filter.Limit)}))
	return orders, err
}

// Orders gives all orders that were created in a range of time, oldest first. The time limit is that of each page.
func (c *Client) Orders(ctx context.Context, filter OrderRange) *Iterator[CollectionOrder] {
	query := queryOf(map[string]string{
		"created_from": "1970-01-01T00:00:00Z", "limit": number(orElse(filter.PageSize, 100))})
	if !filter.CreatedFrom.IsZero() {
		query.Set("created_from", filter.CreatedFrom.UTC().Format(time.RFC3339Nano))
	}
	if !filter.CreatedTo.IsZero() {
		query.Set("created_to", filter.CreatedTo.UTC().Format(time.RFC3339Nano))
	}
	return newIterator(func() ([]CollectionOrder, bool, error) {
		orders, cursor, err := c.page(ctx, query)
		query.Set("cursor", cursor)
		return orders, cursor != "", err
	})
}

func (c *Client) page(ctx context.Context, query url.Values) ([]CollectionOrder, string, error) {
	var found list[CollectionOrder]
	if err := c.send(ctx, call{method: "GET", url: c.orders(), query: query}, &found); err != nil {
		return nil, "", err
	}
	orders, err := found.all()
	for i := range orders {
		if err == nil {
			err = orders[i].check()
		}
	}
	return orders, found.NextCursor, err
}

// Channels gives the channels that an order can be restricted to.
func (c *Client) Channels(ctx context.Context) ([]PaymentChannel, error) {
	var found list[PaymentChannel]
	err := c.send(ctx, call{method: "GET", url: c.base + "/openapi/v1/merchant-payment-channels"}, &found)
	if err != nil {
		return nil, err
	}
	return found.all()
}

// Notifications gives the delivery records of the order's notifications, highest status version first. limit is 1 to 100; 0
// means 20.
func (c *Client) Notifications(ctx context.Context, orderNo string, limit int) ([]DeliveryRecord, error) {
	address, err := c.order(orderNo)
	if err != nil {
		return nil, err
	}
	query := queryOf(map[string]string{"limit": number(limit)})
	var found list[DeliveryRecord]
	if err := c.send(ctx, call{method: "GET", url: address + "/notifications", query: query}, &found); err != nil {
		return nil, err
	}
	return found.all()
}

// RetryNotification requests another attempt for a notification whose automatic attempts are used up. It has no effect on
// others.
func (c *Client) RetryNotification(ctx context.Context, orderNo, eventID string) error {
	address, err := c.order(orderNo)
	if err != nil {
		return err
	}
	event, err := segment(eventID)
	if err != nil {
		return err
	}
	var answer struct {
		Accepted bool `json:"accepted"`
	}
	err = c.send(ctx, call{method: "POST", url: address + "/notifications/" + event + "/retry"}, &answer)
	if err == nil && !answer.Accepted {
		return invalidResponse("the replay was not accepted")
	}
	return err
}

// check looks at the members that decisions depend on.
func (o *CreatedOrder) check() error {
	for _, text := range []string{o.OrderNo, o.ExternalReference, o.Amount, o.Currency, o.Status} {
		if text == "" {
			return invalidResponse("not a collection order")
		}
	}
	return nil
}

func number(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}
