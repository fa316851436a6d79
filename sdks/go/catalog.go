package paydesk

import "context"

// Catalog has the merchant's profile and products.
type Catalog struct {
	send send
	base string
}

// UserCatalog makes the calls of the catalog with the token of a person: those of Catalog, and orders.
type UserCatalog struct{ Catalog }

// CatalogAs makes calls with the token of the person who buys.
func (c *Client) CatalogAs(userToken string) *UserCatalog {
	return &UserCatalog{Catalog{c.sender.as(userToken), c.base}}
}

// Merchant gives the public profile of the merchant.
func (c *Catalog) Merchant(ctx context.Context) (*MerchantProfile, error) {
	profile := &MerchantProfile{}
	err := c.send(ctx, call{method: "GET", url: c.base + "/openapi/v1/merchant"}, profile)
	if err == nil && profile.MerchantNo == "" {
		err = invalidResponse("the answer lacks merchant_no")
	}
	if err != nil {
		return nil, err
	}
	return profile, nil
}

// ListProducts gives one page of the products that are for sale, newest first.
func (c *Catalog) ListProducts(ctx context.Context, filter ProductFilter) (*ProductPage, error) {
	query := queryOf(map[string]string{"gd_no": filter.GdNo, "search_value": filter.SearchValue,
		"page": number(filter.Page), "limit": number(filter.Limit)})
	page := &ProductPage{}
	err := c.send(ctx, call{method: "GET", url: c.base + "/openapi/v1/products", query: query}, page)
	if err == nil && page.List == nil {
		err = invalidResponse("the list has no products")
	}
	if err != nil {
		return nil, err
	}
	return page, nil
}

// Products gives all of them.
func (c *Catalog) Products(ctx context.Context, filter ProductFilter) *Iterator[Product] {
	filter.Limit = orElse(filter.Limit, 100)
	filter.Page = 0
	return newIterator(func() ([]Product, bool, error) {
		filter.Page++
		page, err := c.ListProducts(ctx, filter)
		if err != nil {
			return nil, false, err
		}
		return page.List, len(page.List) > 0 && page.Page*page.Limit < page.Total, nil
	})
}

// CreateOrder orders a product for the person and gives the number of the order. There is no idempotency key, so a request
// without an answer is not repeated: look before you try again.
func (c *UserCatalog) CreateOrder(ctx context.Context, input CreateCatalogOrder) (string, error) {
	var answer struct {
		OrderNo string `json:"order_no"`
	}
	err := c.send(ctx, call{method: "POST", url: c.base + "/openapi/v1/orders", body: input, once: true}, &answer)
	if err == nil && answer.OrderNo == "" {
		err = invalidResponse("the answer lacks order_no")
	}
	return answer.OrderNo, err
}

// GetOrder reads one order of the person.
func (c *UserCatalog) GetOrder(ctx context.Context, orderNo string) (*CatalogOrder, error) {
	number, err := segment(orderNo)
	if err != nil {
		return nil, err
	}
	order := &CatalogOrder{}
	err = c.send(ctx, call{method: "GET", url: c.base + "/openapi/v1/orders/" + number}, order)
	if err == nil && order.OrderNo == "" {
		err = invalidResponse("the answer lacks order_no")
	}
	if err != nil {
		return nil, err
	}
	return order, nil
}

// StartPayment starts the payment; PTK may be debited at once. It is not repeated without an answer: ask PaymentStatus.
func (c *UserCatalog) StartPayment(ctx context.Context, orderNo, paymentNo string) (*CatalogPaymentSession, error) {
	address, err := c.payment(orderNo)
	if err != nil {
		return nil, err
	}
	session := &CatalogPaymentSession{}
	body := map[string]string{"payment_no": paymentNo}
	err = c.send(ctx, call{method: "POST", url: address, body: body, once: true}, session)
	if err == nil && session.Redirect == "" {
		err = invalidResponse("the answer lacks redirect")
	}
	if err != nil {
		return nil, err
	}
	return session, nil
}

// PaymentStatus is 0: pending, ask again later; 1: paid; 2: cancelled.
func (c *UserCatalog) PaymentStatus(ctx context.Context, orderNo string) (int, error) {
	address, err := c.payment(orderNo)
	if err != nil {
		return 0, err
	}
	var answer struct {
		Status *int `json:"status"`
	}
	if err := c.send(ctx, call{method: "GET", url: address}, &answer); err != nil {
		return 0, err
	}
	if answer.Status == nil {
		return 0, invalidResponse("the payment has no status")
	}
	return *answer.Status, nil
}

func (c *UserCatalog) payment(orderNo string) (string, error) {
	number, err := segment(orderNo)
	return c.base + "/openapi/v1/orders/" + number + "/payment", err
}
