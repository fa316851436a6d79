<?php

/** Returns the notification in a request, or null if Paydesk did not send it. $headers: names in lower case. */
function verify(array $headers, string $body, array $secrets, ?int $now = null): ?array
{
    $timestamp = $headers['x-service-timestamp'] ?? '';
    if (!preg_match('/^[0-9]{1,12}$/D', $timestamp) || abs(($now ?? time()) - (int) $timestamp) > 300) {
        return null;
    }
    $given = $headers['x-service-signature'] ?? '';
    $signed = array_filter($secrets, function (string $secret) use ($given, $timestamp, $body): bool {
        // Anyone can sign with an empty one.
        return $secret !== '' && hash_equals('sha256=' . hash_hmac('sha256', $timestamp . '.' . $body, $secret), $given);
    });
    $notification = $signed === [] ? null : json_decode($body, true);
    $id = $headers['x-service-event-id'] ?? '';
    return ($notification['id'] ?? null) === $id ? $notification : null;
}
