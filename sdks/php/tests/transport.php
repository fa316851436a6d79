<?php

declare(strict_types=1);

namespace Paydesk\Tests;

use Paydesk\Client;
use Paydesk\Http\CurlTransport;
use Paydesk\Http\Request;
use Paydesk\Http\Response;
use Paydesk\Http\Transport;
use Paydesk\Http\TransportException;
use Paydesk\PaydeskException;
use Paydesk\Token\FileTokenStore;

/**
 * Starts a server, and gives what `$use` makes of its address. `$code` answers a request of PHP's own server; with
 * `$isServer` it is the server, at the address `$argv[1]`.
 */
function against(string $code, \Closure $use, bool $isServer = false): mixed
{
    $file = tempnam(sys_get_temp_dir(), 'paydesk-server') . '.php';
    file_put_contents($file, "<?php $code");
    $port = freePort();
    $log = ['file', '/dev/null', 'w'];
    $started = $isServer ? [$file, "127.0.0.1:$port"] : ['-S', "127.0.0.1:$port", $file];
    $server = proc_open([PHP_BINARY, ...$started], [['pipe', 'r'], $log, $log], $pipes);
    try {
        for ($i = 0; $i < 1000 && !@fsockopen('127.0.0.1', $port); $i++) {
            usleep(20_000);
        }
        return $use("http://127.0.0.1:$port");
    } finally {
        proc_terminate($server, 9);
        proc_close($server);
        unlink($file);
    }
}

function freePort(): int
{
    $socket = stream_socket_server('tcp://127.0.0.1:0');
    $name = stream_socket_get_name($socket, false);
    fclose($socket);
    return (int) substr((string) strrchr($name, ':'), 1);
}

function transport(): void
{
    Check::test('any answer is given, and no redirect followed', static function (): void {
        $router = 'header("X-Request-Id: r"); header("Location: http://127.0.0.1:1/", true, 307);
            echo $_SERVER["REQUEST_METHOD"], $_SERVER["CONTENT_TYPE"] ?? "-", file_get_contents("php://input");';
        $found = against($router, static function (string $url): array {
            $transport = new CurlTransport();
            $posted = $transport->send(new Request('POST', $url, ['content-type' => 'application/json'], '{}'), 30);
            $empty = $transport->send(new Request('POST', $url, []), 30);
            $read = $transport->send(new Request('GET', $url, []), 30);
            return [$posted->status, $posted->headers['x-request-id'], $posted->body, $empty->body, $read->body];
        });
        Check::same([307, 'r', 'POSTapplication/json{}', 'POST-', 'GET-'], $found);
    });
    Check::test('D-926 no proxy sees what stays on this machine', static function (): void {
        putenv('http_proxy=http://127.0.0.1:1');
        try {
            $get = static fn (string $url): string => (new CurlTransport())->send(new Request('GET', $url, []), 30)->body;
            Check::same('here', against('echo "here";', $get));
            Check::throws(TransportException::class, static fn () => $get('http://pay.example/'));
        } finally {
            putenv('http_proxy');
        }
    });
    Check::test('silence ends in time', static function (): void {
        $late = against('usleep(900_000);', static function (string $url): bool {
            try {
                (new CurlTransport())->send(new Request('GET', $url, []), 0.2);
                return false;
            } catch (TransportException $error) {
                return $error->isTimeout;
            }
        });
        Check::same(true, $late);
    });
    Check::test('D-920 what could take effect twice is sent once on a connection that breaks', static function (): void {
        // It answers a GET with the number of POSTs so far, and breaks the connection of a POST.
        $code = <<<'PHP'
            $open = [$server = stream_socket_server("tcp://$argv[1]")];
            for ($posts = 0; ; ) {
                $ready = $open;
                $none = null;
                stream_select($ready, $none, $none, 60);
                foreach ($ready as $i => $one) {
                    if ($one === $server) {
                        $open[] = stream_socket_accept($server);
                        continue;
                    }
                    $line = (string) fgets($one);
                    for ($header = $line; trim($header) !== ''; $header = (string) fgets($one));
                    if (str_starts_with($line, 'GET')) {
                        fwrite($one, "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n$posts");
                        continue;
                    }
                    $posts += str_starts_with($line, 'POST') ? 1 : 0;
                    fclose($one);
                    unset($open[$i]);
                }
            }
            PHP;
        $posts = against($code, static function (string $url): string {
            $transport = new CurlTransport();
            $transport->send(new Request('GET', $url, []), 30);
            $order = new Request('POST', $url, [], repeatable: false);
            Check::throws(TransportException::class, static fn () => $transport->send($order, 30));
            return $transport->send(new Request('GET', $url, []), 30)->body;
        }, isServer: true);
        Check::same('1', $posts, 'the number of POSTs');
    });
    Check::test('D-1143 an amount that is a float with a fraction is refused, and whole numbers are sent', static function (): void {
        $transport = new class () implements Transport {
            public string $body = '';

            public function send(Request $request, float $timeoutS): Response
            {
                $this->body = (string) $request->body;
                return new Response(200, [], '{"access_token":"t","expires_in":60}');
            }
        };
        $client = new Client('https://pay.example', 'c', 's', transport: $transport);
        // Without strict_types, as in a shop that does not declare it.
        $create = static fn (array $amount): mixed => call_user_func_array(
            $client->createOrder(...),
            ['externalReference' => 'SO-1', 'idempotencyKey' => 'SO-1/1', 'currency' => 'USD', ...$amount],
        );
        foreach ([['amount' => 10.1], ['amountMinor' => 19.99 * 100], ['amountMinor' => INF]] as $amount) {
            Check::throws(\InvalidArgumentException::class, static fn () => $create($amount));
        }
        Check::same('', $transport->body);
        foreach ([['amount' => 10], ['amountMinor' => round(19.99 * 100)]] as $amount) {
            Check::throws(PaydeskException::class, static fn () => $create($amount));
            $sent[] = array_slice((array) json_decode($transport->body), 2, 1);
        }
        Check::same([['amount' => '10'], ['amount_minor' => 1999]], $sent);
    });
    Check::test('D-1142 a separator that php.ini sets for links in pages is in no request', static function (): void {
        $transport = new class () implements Transport {
            /** @var list<string> */
            public array $seen = [];

            public function send(Request $request, float $timeoutS): Response
            {
                $this->seen[] = "$request->url $request->body";
                return new Response(200, [], '{"access_token":"t","expires_in":60,"items":[]}');
            }
        };
        $client = new Client('https://pay.example', 'c', 's', transport: $transport);
        ini_set('arg_separator.output', '&amp;');
        try {
            $client->listOrders(externalReference: 'SO-1', limit: 5);
            $asked = $client->authorizationUrl('https://shop.example/back', ['openid'])->url;
        } finally {
            ini_restore('arg_separator.output');
        }
        $sent = [...$transport->seen, $asked];
        Check::same([3, []], [count($sent), preg_grep('/&amp;/', $sent)]);
    });
    Check::test('D-1427 a limit without an end is one', static function (): void {
        $status = static fn (string $url): int => (new CurlTransport())->send(new Request('GET', $url, []), INF)->status;
        Check::same(200, against('usleep(20_000);', $status));
    });
    Check::test('no connection is a network error', static function (): void {
        $client = new Client('http://127.0.0.1:1', 'c', 'the-secret', maxAttempts: 1);
        try {
            $client->channels();
        } catch (PaydeskException $error) {
            Check::same([0, 'network_error'], [$error->status, $error->errorCode]);
            Check::same(false, str_contains(print_r($client, true) . $error, 'the-secret'), 'the secret is shown');
            return;
        }
        throw new \UnexpectedValueException('it succeeded');
    });
}

function tokenStore(): void
{
    Check::test('D-1428 a token is replaced although the clock was set back behind it', static function (): void {
        $items = ['status' => 200, 'body' => ['items' => []]];
        $bench = new Bench(['answers' => [$items, $items]]);
        $bench->client->channels();
        $bench->nowMs -= 600_000;
        $bench->client->channels();
        Check::same(['token-1', 'token-2'], array_column($bench->requests, 'token'));
    });
    Check::test('a file keeps a token for the next request, for this user only', static function (): void {
        $directory = sys_get_temp_dir() . '/paydesk-tokens-' . bin2hex(random_bytes(6));
        $store = new FileTokenStore($directory);
        $store->set('k', 'one', 60);
        $store->set('k', 'two', 60);
        $files = glob("$directory/*") ?: [];
        Check::same(['two', null, 1], [(new FileTokenStore($directory))->get('k'), $store->get('other'), count($files)]);
        Check::same([0600, 0700], [fileperms($files[0]) & 0777, fileperms($directory) & 0777], 'the modes');
        $store->delete('k');
        Check::same(null, $store->get('k'));
        rmdir($directory);
        // PHP makes the new file elsewhere then.
        $before = glob(sys_get_temp_dir() . '/new*');
        Check::throws(\RuntimeException::class, static fn () => $store->set('k', 'one', 60));
        Check::same($before, glob(sys_get_temp_dir() . '/new*'), 'D-928 tokens left in the directory for temporary files');
    });
}
