// Opens the checkout in the order's own page, and follows what the shop's server says. Without this script the button is a
// link to the checkout.
const link = document.querySelector('#pay');
let isOpen = false;

link?.addEventListener('click', (event) => {
  if (typeof window.Paydesk !== 'object') return;
  event.preventDefault();
  isOpen = true;
  // That the frame says "paid" is a hint: the server is asked.
  window.Paydesk.open({ checkout_url: link.href, onPaid: look, onClosed: () => location.reload() });
});

// A reload would close the checkout, so the page waits while it is open.
setInterval(() => {
  if (!isOpen) void look();
}, 4_000);

async function look() {
  const answer = await fetch(`${location.pathname}/state`);
  if (!answer.ok) return;
  const { state } = await answer.json();
  if (state === 'pending') return;
  if (!isOpen) location.reload();
  else if (state === 'paid') document.querySelector('h1').textContent = 'Paid. Thank you!';
}
