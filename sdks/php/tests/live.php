<?php

declare(strict_types=1);

// Uses a running Paydesk once with every call, and prints what it found as JSON: npm test compares it.
//
// PAYDESK_URL, PAYDESK_CLIENT_ID and PAYDESK_CLIENT_SECRET name the service; PAYDESK_LIVE is a JSON object that names what the test
// has prepared there.

namespace Paydesk\Tests;

use Paydesk\Client;
use Paydesk\Expected;
use Paydesk\Http\Attempt;
use Paydesk\Model\CollectionOrder;
use Paydesk\Model\PaymentChannel;
use Paydesk\Model\Product;
use Paydesk\PaydeskException;
use Paydesk\Posting;
use Paydesk\StoredState;
use Paydesk\Verifier;

require_once __DIR__ . '/../autoload.php';

$live = json_decode((string) getenv('PAYDESK_LIVE'));
$tokens = 0;
$client = new Client(
    baseUrl: (string) getenv('PAYDESK_URL'),
    clientId: (string) getenv('PAYDESK_CLIENT_ID'),
    clientSecret: (string) getenv('PAYDESK_CLIENT_SECRET'),
    onAttempt: static function (Attempt $attempt) use (&$tokens): void {
        $tokens += str_ends_with($attempt->url, '/oauth/token') ? 1 : 0;
    },
);
$found = collection($client, "$live->prefix-php") + payment($client, $live) + catalog($client, $live);
echo json_encode($found + ['tokens' => $tokens], JSON_THROW_ON_ERROR), "\n";

/** @return list<mixed> */
function refusal(\Closure $call): array
{
    try {
        $call();
        return [];
    } catch (PaydeskException $error) {
        return [$error->status, $error->errorCode, ...($error->field === null ? [] : [$error->field])];
    }
}

/** @return array<string, mixed> */
function collection(Client $client, string $prefix): array
{
    $create = static fn (string $name, string $amount = '10.00') => $client->createOrder(
        externalReference: "$prefix-$name",
        idempotencyKey: "$prefix-$name",
        currency: 'USD',
        amount: $amount,
        notifyEnabled: false,
    );
    $order = $create('1');
    $read = $client->getOrder($order->orderNo);
    $second = $create('2');
    $references = array_map(
        static fn (CollectionOrder $one): string => $one->externalReference,
        iterator_to_array($client->orders(limit: 2)),
    );
    $listed = $client->listOrders(externalReference: "$prefix-2");
    $providers = array_map(static fn (PaymentChannel $one): string => $one->provider, $client->channels());
    sort($providers);
    return [
        'created' => [$order->externalReference, $order->amount, $order->amountMinor, $order->currency, $order->status],
        'again' => $create('1')->orderNo === $order->orderNo,
        'conflict' => refusal(static fn () => $create('1', '11.00')),
        'invalid' => refusal(static fn () => $create('3', '1e3')),
        'read' => [$read->orderNo === $order->orderNo, $read->status, $read->feeStatus, Posting::isPaid($read->status)],
        'missing' => refusal(static fn () => $client->getOrder('mp_00000000000000000000000000')),
        'listed' => array_map(static fn (CollectionOrder $one): bool => $one->orderNo === $second->orderNo, $listed),
        'paged' => array_values(array_filter($references, static fn ($one): bool => str_starts_with($one, "$prefix-"))),
        'channels' => $providers,
    ];
}

/** @return array<string, mixed> */
function payment(Client $client, \stdClass $live): array
{
    $order = $client->getOrder($live->paid_order_no);
    $paid = null;
    foreach ($client->notifications($order->orderNo) as $record) {
        $paid = $record->event['data']['status'] === 'paid' ? $record : $paid;
    }
    $client->retryNotification($order->orderNo, (string) $paid?->eventId);
    $verifier = new Verifier($live->secret);
    $request = [(array) $live->headers, (string) base64_decode($live->body_base64, true)];
    $own = $verifier->verify(...$request);
    $standard = $verifier->verifyStandard(...$request);
    $expected = new Expected($live->external_reference, '10', 'USD');
    $first = Posting::decide(null, $own->data->state(), $expected);
    $stored = new StoredState($order->statusVersion, $first->eventId);
    return [
        'paid' => [$order->status, $order->eventId === $first->eventId, $order->settlementPtk === $live->settlement_ptk],
        'delivered' => [$paid?->deliveryStatus, $paid?->eventId === $standard->id],
        'posting' => [$first->action, Posting::decide($stored, $order->state(), $expected)->action],
    ];
}

/** @return array<string, mixed> */
function catalog(Client $client, \stdClass $live): array
{
    $token = $live->user_token;
    $order_no = $client->catalog->createOrder($live->gd_no, 2, $live->payment_no, $token);
    $pending = $client->catalog->getOrder($order_no, $token);
    $session = $client->catalog->startPayment($order_no, $live->payment_no, $token);
    $all = iterator_to_array($client->catalog->products(limit: 1));
    $names = array_map(static fn (Product $one): string => $one->gdName, $all);
    sort($names);
    return [
        'merchant' => $client->catalog->merchant()->name,
        'products' => $names,
        'price' => $client->catalog->listProducts(gdNo: $live->gd_no)->list[0]->actualPrice,
        'page' => [
            count($client->catalog->listProducts(limit: 1, userToken: $token)->list),
            $client->catalog->listProducts()->total,
        ],
        'ordered' => [$pending->status, $pending->quantity, $pending->totalAmount],
        'session' => [$session->tradeNo !== '', $session->redirect !== '', $session->expireTime > 0],
        'status' => $client->catalog->paymentStatus($order_no, $token),
        'person' => $client->userInfo($token)['sub'],
    ];
}
