/** The page on which a person allows a client to act for them. */
import type { AccountKey } from '../../texts/account/messages.ts';
import { LimitFields, type TypedLimits } from './limit-fields.tsx';
import { type Said, SaidBox } from './said-box.tsx';
import { accountUi, type BaseContext, renderDocument, SendOnce } from '../document.tsx';

export interface ConsentContext extends BaseContext {
  /** The path that the decision is posted to. */
  action: string;
  sign_in_path: string;
  /** The client's name. */
  client: string;
  /** The name of the merchant that owns the client, or null. */
  merchant: string | null;
  /** The scopes that the client asks for. */
  scopes: readonly string[];
  /** The person who decides. */
  person: { user_id: string; name: string };
  /** The host that the browser goes to afterwards. */
  host: string;
  /** The limits of payments from the balance, as typed; null where the client does not ask to pay. */
  limits: TypedLimits | null;
  said?: Said | undefined;
}

/** The scope that pays from the balance: it leads, with its limits. */
const paying = 'payments.create';

const words = new Map<string, AccountKey>(
  Object.entries({
    openid: 'scope_openid',
    email: 'scope_email',
    'merchant.profile.read': 'scope_profile',
    'products.read': 'scope_products',
    'orders.create': 'scope_orders_create',
    'orders.read': 'scope_orders_read',
    'payments.create': 'scope_payments_create',
    'payments.read': 'scope_payments_read',
  } as const),
);

/** What a scope lets a client do, in words. */
export function scopeWords(page: Pick<BaseContext, 'locale'>, scope: string): string {
  const key = words.get(scope);
  return key === undefined ? scope : accountUi(page).t(key);
}

/** The page on which a person lets a client in or refuses it: client, merchant and each scope in words (D-171). */
export function renderConsent(page: ConsentContext): string {
  const { t } = accountUi(page);
  const { client, merchant, person, host, action } = page;
  const other = new URLSearchParams({ return_to: action, again: '1' });
  return renderDocument({
    page,
    title: t('consent_title', { client }),
    inLanguage: (locale) => `${action}?lang=${locale}`,
    script: null,
    children: (
      <main class="single">
        <section class="panel words">
          <h1>{t('consent_title', { client })}</h1>
          <SaidBox page={page} said={page.said} />
          {merchant !== null && <p>{t('consent_merchant', { merchant })}</p>}
          {page.limits !== null && (
            <fieldset class="fields limits" form="consent">
              <legend>{t('consent_pays', { client })}</legend>
              <LimitFields page={page} of="consent" form="consent" limits={page.limits} />
            </fieldset>
          )}
          <div>
            <h2 class="minor">{t(page.limits === null ? 'consent_scopes' : 'consent_also')}</h2>
            <ul class="plain-list">
              {page.scopes
                .filter((scope) => page.limits === null || scope !== paying)
                .map((scope) => (
                  <li key={scope}>{scopeWords(page, scope)}</li>
                ))}
            </ul>
          </div>
          <form class="actions" id="consent" method="post" action={action}>
            <input type="hidden" name="person" value={person.user_id} />
            <input type="hidden" name="scopes" value={page.scopes.join(' ')} />
            <button class="primary" type="submit" name="decision" value="allow">
              {t('consent_allow')}
            </button>
            <button class="secondary" type="submit" name="decision" value="deny">
              {t('consent_deny')}
            </button>
          </form>
          <p class="quiet">{t('consent_to', { host })}</p>
          <p class="quiet">
            {t('signed_in', { name: person.name })}{' '}
            <a href={`${page.sign_in_path}?${other.toString()}`}>{t('other_account')}</a>
          </p>
          <SendOnce page={page} />
        </section>
      </main>
    ),
  });
}
