<?php

declare(strict_types=1);

namespace Paydesk\Tests;

use Paydesk\Http\CurlTransport;
use Paydesk\Http\Request;
use Paydesk\NotificationException;
use Paydesk\Verifier;

function notifications(): void
{
    $reason_of = static function (\Closure $verify): ?string {
        try {
            $verify();
            return null;
        } catch (NotificationException $error) {
            return $error->reason;
        }
    };
    foreach (Check::vectors('notification-signatures')['vectors'] as $vector) {
        Check::test($vector['name'], static function () use ($vector, $reason_of): void {
            $headers = [
                'X-Service-Event-ID' => $vector['event_id'],
                'X-Service-Timestamp' => $vector['timestamp'],
                'X-Service-Signature' => $vector['signature'],
            ];
            $verifier = new Verifier($vector['secret'], now: static fn (): int => $vector['now']);
            $reason = $reason_of(static fn () => $verifier->verify($headers, $vector['body']));
            Check::same($vector['reason'] ?? null, $reason);
        });
    }
    foreach (Check::vectors('notification-requests')['vectors'] as $vector) {
        Check::test($vector['name'], static function () use ($vector, $reason_of): void {
            $body = $vector['body'] ?? base64_decode($vector['body_base64']);
            $tolerance_s = $vector['tolerance_s'] ?? 300;
            $verifier = new Verifier($vector['secrets'], $tolerance_s, static fn (): int => $vector['now']);
            $reason = $reason_of(static fn () => $vector['scheme'] === 'paydesk'
                ? $verifier->verify($vector['headers'], $body)
                : $verifier->verifyStandard($vector['headers'], $body));
            Check::same($vector['reason'], $reason);
        });
    }
    Check::test('secrets that are none', static function (): void {
        foreach (['', [], ['', 'x']] as $secrets) {
            Check::throws(\InvalidArgumentException::class, static fn () => new Verifier($secrets));
        }
    });
    Check::test('the current request, without a framework', static function () use ($reason_of): void {
        $_SERVER['HTTP_X_SERVICE_EVENT_ID'] = 'ne_1';
        $_SERVER['HTTP_X_SERVICE_TIMESTAMP'] = (string) time();
        $_SERVER['HTTP_X_SERVICE_SIGNATURE'] = Verifier::sign('secret', $_SERVER['HTTP_X_SERVICE_TIMESTAMP'], '');
        $verifier = new Verifier('secret');
        Check::same('malformed', $reason_of($verifier->fromGlobals(...)), 'a signed empty body');
        $_SERVER['HTTP_X_SERVICE_SIGNATURE'] = 'sha256=0';
        Check::same('bad_signature', $reason_of($verifier->fromGlobals(...)), 'another signature');
    });
    Check::test('D-1141 the receiver of the README answers 2xx only to what it has stored', static function (): void {
        $readme = (string) file_get_contents(__DIR__ . '/../README.md');
        preg_match('/Without a framework:\n\n```php\n(.+?)```/s', $readme, $found);
        // As PHP is without a php.ini: it shows errors, and then answers 200 to an exception.
        $code = 'use Paydesk\NotificationException; use Paydesk\Verifier; ini_set("display_errors", "1"); require ' .
            var_export(__DIR__ . '/../autoload.php', true) . '; putenv("NOTIFY_SECRETS=" . ($_GET["secret"] ?? ""));
            function store($_notification): void { isset($_GET["full"]) && throw new RuntimeException("disk full"); }';
        $body = Check::vectors('notification-requests')['vectors'][0]['body'];
        $answers = against($code . $found[1], static function (string $url) use ($body): array {
            $now = (string) time();
            $headers = [
                'x-service-event-id' => json_decode($body)->id,
                'x-service-timestamp' => $now,
                'x-service-signature' => Verifier::sign('the-secret', $now, $body),
            ];
            $answer = static fn (string $query): int =>
                (new CurlTransport())->send(new Request('POST', "$url/?$query", $headers, $body), 30)->status;
            return array_map($answer, ['secret=the-secret', 'secret=another', 'secret=the-secret&full=1', '']);
        });
        Check::same([204, 400, 500, 500], $answers);
    });
}
