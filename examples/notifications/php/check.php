<?php

// Runs verify.php over test vectors: php check.php < notification-signatures.json
// Prints true or false for each vector.

require __DIR__ . '/verify.php';

$verdicts = array_map(function (array $vector): bool {
    $headers = [
        'x-service-event-id' => $vector['event_id'],
        'x-service-timestamp' => $vector['timestamp'],
        'x-service-signature' => $vector['signature'],
    ];
    $secrets = ['of an older order, long since done', $vector['secret']];
    return verify($headers, $vector['body'], $secrets, $vector['now']) !== null;
}, json_decode(file_get_contents('php://stdin'), true)['vectors']);

echo json_encode($verdicts), "\n";
