<?php

declare(strict_types=1);

namespace Paydesk\Tests;

use Paydesk\Client;
use Paydesk\Model\AuthorizationRequest;
use Paydesk\PaydeskException;

function client(): void
{
    foreach (Check::vectors('client')['vectors'] as $vector) {
        Check::test($vector['name'], static fn () => clientVector($vector));
    }
}

/** @param array<string, mixed> $vector */
function clientVector(array $vector): void
{
    if (isset($vector['rejected_options'])) {
        Check::throws(\InvalidArgumentException::class, static fn () => new Bench($vector));
        return;
    }
    $bench = new Bench($vector);
    $printed = print_r($bench->client, true);
    foreach ($vector['calls'] as $call) {
        $bench->nowMs += $call['advance_ms'] ?? 0;
        $printed .= checkCall($bench->client, $call);
    }
    if (isset($vector['requests'])) {
        Check::same(sorted($vector['requests']), sorted($bench->requests), 'the requests');
    }
    if (isset($vector['token_requests'])) {
        Check::same(sorted($vector['token_requests']), sorted($bench->tokens), 'the token requests');
    }
    Check::same($vector['token_request_count'] ?? count($bench->tokens), count($bench->tokens), 'the token requests');
    if (isset($vector['waits_ms'])) {
        Check::same(array_map(floatval(...), $vector['waits_ms']), $bench->waits, 'the waits');
    }
    if (isset($vector['attempts'])) {
        Check::same(count($vector['attempts']), count($bench->attempts), 'the number of attempts');
        foreach ($vector['attempts'] as $i => $wanted) {
            $told = plain($bench->attempts[$i]);
            $told['retry_in_ms'] = $told['retry_in_ms'] === null ? null : (int) $told['retry_in_ms'];
            Check::contains($wanted, $told, 'attempt');
        }
    }
    foreach ($vector['never_shown'] ?? [] as $text) {
        Check::same(false, str_contains($printed, $text), "$text is shown");
    }
}

/** Makes a call and compares what it gives. Returns what the error prints. */
function checkCall(Client $client, array $call): string
{
    $value = null;
    $thrown = null;
    try {
        $value = plain(run($client, $call['call'], $call['args']));
    } catch (PaydeskException | \InvalidArgumentException $error) {
        $thrown = $error;
    }
    if (isset($call['error'])) {
        $names = ['code' => 'errorCode', 'retry_after_s' => 'retryAfterS', 'request_id' => 'requestId'];
        Check::same(true, $thrown instanceof PaydeskException, "{$call['call']} fails");
        foreach ($call['error'] as $name => $wanted) {
            Check::same($wanted, $thrown->{$names[$name] ?? $name}, "$name of the error");
        }
    } elseif (isset($call['refused'])) {
        Check::same(true, $thrown instanceof \InvalidArgumentException, "{$call['call']} is refused");
    } else {
        Check::same(null, $thrown?->getMessage(), "the error of {$call['call']}");
        isset($call['authorization'])
            ? checkAuthorization($value, $call['authorization'])
            : Check::contains($call['result'], $value, $call['call']);
    }
    return print_r($thrown, true) . $thrown;
}

/** @param array<string, string> $asked */
function checkAuthorization(array $asked, array $wanted): void
{
    [$address, $query] = explode('?', $asked['url'], 2);
    parse_str($query, $found);
    $lengths = [strlen($found['code_challenge']), strlen($asked['code_verifier']), $asked['state']];
    Check::same([43, 43, $found['state']], $lengths, 'the challenge');
    unset($found['code_challenge']);
    Check::same(sorted($wanted), sorted(['url' => $address, 'query' => $found]), 'the address');
}

/** Makes a call by the name that it has in the vectors. */
function run(Client $client, string $name, array $args): mixed
{
    $owner = str_contains($name, '.') ? $client->catalog : $client;
    $method = camel(str_replace('catalog.', '', $name));
    if (isset($args['scope'])) {
        $args['scopes'] = (array) $args['scope'];
        unset($args['scope']);
    }
    $named = array_combine(array_map(camel(...), array_keys($args)), array_values($args));
    $value = $owner->{$method}(...$named);
    return match ($name) {
        'retry_notification' => ['accepted' => true],
        'catalog.create_order' => ['order_no' => $value],
        'catalog.payment_status' => ['status' => $value],
        'orders', 'catalog.products' => iterator_to_array($value),
        default => $value,
    };
}

function camel(string $name): string
{
    return lcfirst(str_replace('_', '', ucwords($name, '_')));
}

/** Objects of the SDK with the names of the API. */
function plain(mixed $value): mixed
{
    if (is_object($value)) {
        $members = [];
        foreach (get_object_vars($value) as $name => $member) {
            $members[strtolower((string) preg_replace('/[A-Z]/', '_$0', $name))] = plain($member);
        }
        return $members;
    }
    return is_array($value) ? array_map(plain(...), $value) : $value;
}

/** Objects with their members in one order. */
function sorted(mixed $value): mixed
{
    if (!is_array($value)) {
        return $value;
    }
    if (!array_is_list($value)) {
        ksort($value);
    }
    return array_map(sorted(...), $value);
}
