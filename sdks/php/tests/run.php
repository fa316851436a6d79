<?php

declare(strict_types=1);

// Runs the vectors that the SDKs of all languages pass (packages/sdk/vectors) through this one, and the transport against a real
// socket. It needs nothing but PHP, and exits 1 if something is wrong.

namespace Paydesk\Tests;

require_once __DIR__ . '/check.php';
require_once __DIR__ . '/Bench.php';
require_once __DIR__ . '/notifications.php';
require_once __DIR__ . '/posting.php';
require_once __DIR__ . '/client.php';
require_once __DIR__ . '/transport.php';

notifications();
amounts();
posting();
client();
transport();
tokenStore();

$wrong = Check::$wrong;
echo Check::$checked, ' tests, ', $wrong, " failed\n";
exit($wrong === 0 ? 0 : 1);
