import type { Messages } from './messages.ts';

export const ja: Messages = {
  page_title: '{merchant} に {amount} を支払う',
  page_title_status: '{status} · {merchant}',
  payment_to: '{merchant} へのお支払い',
  language: '言語',
  test_banner: 'テストモード：実際の請求は行われません。',
  offline: 'オフラインです。何も失われません。接続が戻ると、このページはそのまま続きます。',

  amount_due: 'ご請求金額',
  reference: '店舗の参照番号',
  order_number: '注文番号',
  copy_reference: '店舗の参照番号をコピー',
  copy_order_number: '注文番号をコピー',
  copied: 'コピーしました',
  copy_by_hand: 'ここではコピーできません。テキストを選択してください。',
  time_left: 'お支払いの残り時間',
  time_left_announced: 'お支払いの残り時間は{time}です',
  time_up: '期限を確認しています…',

  choose_title: 'お支払い方法を選択してください',
  methods: 'お支払い方法',
  method_no_fee: '手数料なし',
  method_fee: '手数料 {fee} を含む',
  method_wait: '最長{time}',
  method_test: 'テスト',
  method_unavailable: 'この注文では現在ご利用いただけません',
  choose_first: '先にお支払い方法を選択してください。',
  choose_method: 'お支払い方法を選択',
  show_total: '合計を表示',
  breakdown: 'お支払い内容',
  breakdown_paid: 'お支払い済みの内容',
  subtotal: '小計',
  fee: '手数料',
  total: '合計',
  ptk_debit: '残高からの引き落とし',
  ptk_rate: '固定レート',
  ptk_rate_value: '{ptk} = {price}',
  ptk_balance: 'ご利用可能な残高',
  pay: '{total} を支払う',
  starting: 'お待ちください…',
  starting_announced: 'お支払いを開始しています。',
  redirecting: 'お支払いページへ移動しています…',
  pay_once: '何度クリックしたり再読み込みしたりしても、請求は一度だけです。',

  signed_in_as: '{name} としてログイン中',
  switch_account: '別のアカウントを使う',
  sign_in_to_pay: 'ログインして支払う',
  sign_in_needed: 'この方法で支払うにはログインしてください。ログイン後、すぐにこのページへ戻ります。',
  balance_short: '残高が {missing} 不足しています。別のお支払い方法か別のアカウントをご利用ください。',
  balance_short_only:
    '残高が {missing} 不足しています。残高を追加してからこのページに戻るか、別のアカウントをご利用ください。',
  balance_short_top_up:
    '残高が不足しています：{missing} 足りません。残高をチャージしてください。その後、このページに戻ります。',
  top_up_link: '残高をチャージ',
  top_up_paid: 'PTK が残高に加わりました。',
  top_up_go_on: '続ける',
  top_up_soon: 'まもなく次に進みます。',
  self_payment:
    'これはご自身の店舗の注文のため、ご自身の残高ではお支払いいただけません。別のお支払い方法か別のアカウントをご利用ください。',

  no_method_title: '現在ご利用いただけるお支払い方法がありません',
  no_method_text:
    '請求は行われていません。しばらくしてからもう一度お試しいただくか、別のお支払い方法を {merchant} にお問い合わせください。',
  resume_title: 'お支払いページが開いています',
  resume_text: '{method} でのお支払いが始まっています。期限までは、いつでも同じお支払いページに戻れます。',
  resume_action: '続けて {total} を支払う',
  returned_title: 'おかえりなさい',
  returned_text:
    'お支払いが完了している場合は、そのままお待ちください。確認でき次第、ここに表示されます。まだの場合は、同じお支払いページで続けられます。',
  canceled_title: '請求は発生していません',
  canceled_text: 'お支払いの前にお支払いページを離れました。期限までは、そのページで続けられます。',
  other_methods: '別のお支払い方法を選ぶ',
  contact_link: '{merchant} に問い合わせる',
  unresolved_title: '決済事業者の回答を待っています',
  unresolved_text:
    'まだ明確な回答がありません。別の方法でのお支払いはお控えください。確認を続けており、このページは自動的に更新されます。',
  unresolved_action: 'もう一度確認する',
  processing_title: 'お支払いを処理しています',
  processing_text:
    '決済事業者がお支払いを受け付け、後ほど確認します。方法によっては数日かかります。お客様の操作は不要です。このページを閉じてもかまいません。',
  attempt_ended_title: 'お支払いは完了しませんでした',
  attempt_ended_text:
    'このお支払いが行われなかったことを決済事業者が確認しました。{merchant} に戻り、あらためてご注文ください。',
  review_title: 'お支払いを確認しています',
  review_text:
    'お支払い期限が過ぎたため、結果を決済事業者に確認しています。もう一度お支払いにならないでください。このページは自動的に更新されます。',
  checking_title: 'この注文を確認しています',
  checking_text:
    '決済事業者の回答を詳しく確認する必要があります。もう一度お支払いにならないでください。お問い合わせの際は注文番号をお伝えください。',
  paid_title: 'お支払いを確認しました',
  paid_text: '{merchant} がお支払いを受け取りました。',
  paid_late_text: 'お支払いは期限後に届き、受け付けられました。{merchant} が受け取りました。',
  paid_on: 'お支払い日時',
  paid_with: 'お支払い方法',
  return_soon: 'まもなく {merchant} に戻ります。',
  return_link: '{merchant} に戻る',
  stay: 'このページに残る',
  receipt_link: '領収書',
  embed_tab: '新しいタブで開きます。',
  embed_done: '完了',
  tab_close: 'このタブは閉じてかまいません。元の {merchant} のページは自動的に進みます。',
  expired_title: 'お支払い期限が過ぎました',
  expired_text:
    'ここではもうお支払いいただけません。ご購入を希望される場合は、{merchant} に戻ってあらためてご注文ください。',
  expired_late: 'すでにお支払い済みの場合、操作は不要です。お支払いが確認されるとここに表示されます。',
  refunded_title: 'このお支払いは返金されました',
  refunded_text: '全額がお支払い元に返金されます。銀行によっては数日かかることがあります。',
  chargeback_title: 'このお支払いはチャージバックされました',
  chargeback_text:
    '金額は銀行またはカード会社を通じて返還されました。ご不明な点は {merchant} にお問い合わせください。',
  reload: '今すぐ確認',
  no_script: 'お使いのブラウザでは、このページは自動的に更新されません。期限：{time}',

  notice_login_required: 'この方法で支払うにはログインしてください。',
  notice_insufficient_balance: 'このお支払いには残高が不足しています。請求は行われていません。',
  notice_self_payment: '店舗は自身の残高で自身の注文を支払えません。請求は行われていません。',
  notice_pending:
    '決済事業者からまだ明確な回答がありません。ここでお待ちいただき、もう一度お支払いにならないでください。',
  notice_conflict:
    'この注文は、別のタブなどですでに支払い済みか、支払いが始まっています。現在の状況をこのページに表示しています。',
  notice_rejected:
    '決済事業者がお支払いページを開けませんでした。請求は行われていません。別のお支払い方法を選ぶか、もう一度お試しください。',
  notice_mismatch:
    '決済事業者の回答がこの注文と一致しないため、中断しました。もう一度お支払いにならないでください。現在確認しています。',
  notice_channel_unavailable:
    'このお支払い方法は現在ご利用いただけません。請求は行われていません。別の方法をお選びください。',
  notice_test_denied:
    'このテスト用の方法はご利用いただけません。別のお支払い方法か別のアカウントをご利用ください。',
  notice_merchant_inactive: 'この店舗は現在お支払いを受け付けられません。請求は行われていません。',
  notice_funding:
    'この店舗は現在この方法でのお支払いを受け付けられません。請求は行われていません。別の方法をお選びください。',
  notice_expired: 'お支払い期限が過ぎました。',
  notice_limited: 'リクエストが多すぎます。{seconds}待ってからもう一度お試しください。',
  notice_unavailable: 'サービスが一時的に利用できません。{seconds}待ってからもう一度お試しください。',
  notice_unclear:
    '回答が得られませんでした。注文の状況を確認しています。もう一度試す前に少しお待ちください。',
  notice_not_closed:
    '決済事業者のお支払いページが閉じられたことをまだ確認できないため、別のお支払い方法は選べません。少し待ってからもう一度お試しください。',
  notice_not_started: 'お支払いを開始できませんでした。ページを確認して、もう一度お試しください。',

  phone_title: 'スマートフォンで続ける',
  phone_text: 'スマートフォンのカメラでこのコードを読み取ると、このページが開きます。',
  phone_alt: 'このページを開く QR コード',
  footer: 'このページでカード情報を入力することはありません。',

  no_page_title: 'ページが見つかりません',
  no_page_text: 'アドレスが間違っているか、古くなっている可能性があります。',
  to_the_start: 'トップへ移動',
  not_found_title: 'このお支払いが見つかりません',
  not_found_text:
    'リンクが不完全か、無効になっています。ショップからもう一度開くか、新しいリンクを店舗にお求めください。',
  gone_title: 'お支払い期限が過ぎました',
  gone_text: 'ここでは請求は行われていません。店舗に戻ってあらためてご注文ください。',
  limited_title: '少々お待ちください',
  limited_text:
    'お使いの回線からのリクエストが多くなっています。{seconds}待ってからもう一度お試しください。何も失われません。',
  unavailable_title: 'まもなく再開します',
  unavailable_text:
    'サービスが一時的に利用できません。{seconds}待ってからもう一度お試しください。お支払い直後の場合は、もう一度お支払いにならないでください。',
  error_title: 'こちら側で問題が発生しました',
  error_text:
    '申し訳ございません。お支払い直後の場合は、もう一度お支払いにならないでください。ページを開き直すと注文の状況を確認できます。',
  cross_site_title: 'この要求は当ページからのものではありません',
  cross_site_text: '安全のため、何も実行していません。お支払いページを開き直して続けてください。',
  try_again: 'もう一度試す',

  sign_in_title: 'ログイン',
  sign_in_email: 'メールアドレス',
  sign_in_password: 'パスワード',
  sign_in_action: 'ログイン',
  sign_in_invalid: 'メールアドレスまたはパスワードが正しくありません。',
  sign_in_limited: '試行回数が多すぎます。{seconds}待ってからもう一度お試しください。',
  sign_in_back: 'ログインせずに戻る',

  order_delivered_title: 'ご注文は完了しました',
  order_delivery: 'お届け内容',
  order_preparing: '{merchant} がご注文を準備しています。',
  order_delivered: '{merchant} がご注文をお届けしました。',

  receipt_title: '領収書',
  receipt_description: '内容',
  receipt_status: '状態',
  receipt_paid: '支払い済み',
  receipt_refunded: '返金済み',
  receipt_chargeback: 'チャージバック済み',
  receipt_trade_no: '取引番号',
  receipt_contact: '加盟店の連絡先',
  receipt_print: '印刷',
  receipt_test: 'テスト決済：実際の請求は行われていません。',
  receipt_back: 'お支払いページに戻る',
};
