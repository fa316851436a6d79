/** Commands for people who connect a shop. They work over HTTP, for the client of `paydesk login`. */
import type { CommandContext } from '../shared/command.ts';
import type { Usage } from '../shared/usage.ts';

interface Developing {
  readonly usage: Usage;
  readonly load: () => Promise<(context: CommandContext) => Promise<number>>;
}

export const developing: readonly Developing[] = [
  {
    usage: {
      name: 'login',
      about: 'keep the client that orders and trigger work for',
      description: [
        'Checks a merchant’s client and keeps it in ~/.config/paydesk/login.json, which only this user can read. The client secret comes from standard input. Without --client-id it takes the demo platform of the data directory.',
      ],
      options: [
        {
          name: 'url',
          value: 'URL',
          about: 'the address of Paydesk; without it, that of the demo platform, or http://127.0.0.1:8080',
        },
        { name: 'client-id', value: 'ID', about: 'the client; its secret comes from standard input' },
      ],
      exits: { 0: 'the client works and is kept', 1: 'Paydesk does not answer, or refuses the client' },
      example: ['paydesk login', 'paydesk login --url https://pay.example --client-id cl_… <secret.txt'],
    },
    load: async () => (await import('./login.ts')).loginCommand,
  },
  {
    usage: {
      name: 'orders',
      about: 'list the latest orders of the client’s merchant',
      description: ['Prints the merchant’s collection orders, one per line, the newest last.'],
      options: [
        { name: 'hours', value: 'N', about: 'only orders of the last N hours', otherwise: '24' },
        { name: 'limit', value: 'N', about: 'at most this many', otherwise: '20' },
      ],
      exits: { 0: 'they are printed', 1: 'you are not logged in, or Paydesk refuses' },
      example: ['paydesk orders --hours 1'],
    },
    load: async () => (await import('./orders.ts')).ordersCommand,
  },
  {
    usage: {
      name: 'trigger',
      about: 'make a test order paid, expired, refunded or chargeback',
      description: [
        'Creates an order and pays it at the card simulator, as a buyer does, then refunds or disputes it; or lets it expire, which takes a minute. The notifications follow as for any order. It needs a card channel that uses a simulator on this machine, such as that of "paydesk start". A refund also needs PAYDESK_ADMIN_KEY, or the demo platform.',
      ],
      argument: { name: 'OUTCOME', about: 'paid, expired, refunded or chargeback' },
      options: [
        { name: 'amount', value: 'AMOUNT', about: 'the amount of the order', otherwise: '10.00' },
        { name: 'currency', value: 'CODE', about: 'its currency', otherwise: 'USD' },
      ],
      exits: { 0: 'the order has the outcome', 1: 'it has not; the sentence says why' },
      example: ['paydesk trigger paid', 'paydesk trigger chargeback --amount 25.00'],
    },
    load: async () => (await import('./trigger.ts')).triggerCommand,
  },
];
