#!/usr/bin/env node
/*
 * What was run, in a browser: the tab Executions with its filters, details and
 * charts, and the overview, compared with plain SQL; many of them.
 */

'use strict';

const b = require('./browser.js');

const MANY = b.all ? 100000 : 3000;

const table = (page) => page.getByRole('table', { name: 'Executions' });
const stat = (page, name) => page.locator('.stat', { hasText: name })
    .locator('dd').first();
const number = (text) => Number(text.replace(/[^0-9.]/g, ''));

/* n executions of a prompt of alice's, over the last 100 days */
const fill = (id, n, model = 'm1') => b.sql(`
    WITH s AS (SELECT g, now() - g * interval '100 days' / ${n}
                         - interval '1 minute' AS t
               FROM generate_series(0, ${n} - 1) g)
    INSERT INTO executions (id, prompt_id, version, executed_by, by_owner,
        status, model, input, output, error, latency_ms, token_in, token_out,
        cost_usd, created_at, finished_at, label)
    SELECT (lpad(to_hex(floor(extract(epoch FROM t) * 1000)::bigint), 12, '0')
            || '7' || substr(md5(g || '${id}'), 1, 3) || 'a'
            || substr(md5(g || 'x${id}'), 1, 15))::uuid,
           '${id}', 1, '${b.config().alice_id}', true,
           CASE WHEN g % 10 = 3 THEN 'failed' ELSE 'succeeded' END,
           CASE WHEN g % 4 = 0 THEN 'm2' ELSE '${model}' END,
           '{"x": "in"}', CASE WHEN g % 10 <> 3 THEN 'said' END,
           CASE WHEN g % 10 = 3 THEN 'it broke' END, 100 + g % 900, g % 50,
           g % 70, 0.000123456789 * (g % 7), date_trunc('milliseconds', t),
           date_trunc('milliseconds', t), CASE WHEN g % 2 = 0 THEN 'live' END
    FROM s ORDER BY t`);


async function rows() {
    await b.block('executions', async () => {
        const id = await b.prompt('logged', 'Say {{x}}', { model: 'fx:ok' });
        const page = await b.signIn('alice', `prompts/${id}/executions`);

        await page.getByText('It was not run in this period').waitFor();
        await b.looks(page, 'executions-empty');
        await fill(id, MANY);
        await b.press(page, 'Refresh');
        await table(page).getByRole('row').nth(2).waitFor();
        await page.goto(b.url(`prompts/${id}/executions`));
        await page.getByText('Cost per day').waitFor();
        await b.looks(page, 'executions');

        for (const [name, days] of [['7 d', 7], ['24 h', 1], ['30 d', 30],
                                    ['90 d', 90]])
        {
            const asked = page.waitForRequest((r) =>
                /query Statistics/.test(r.postData() || ''));

            if (name === '7 d') {
                await page.reload();
            } else {
                await b.press(page, name);
            }

            const { since } = (await asked).postDataJSON().variables;
            const [[executions, failed, cost]] = await b.sql(`
                SELECT count(*), count(*) FILTER (WHERE status = 'failed'),
                       sum(cost_usd) FROM executions
                WHERE prompt_id = '${id}' AND created_at >= '${since}'`);

            await b.becomes(async () => [
                number(await stat(page, 'Executions').innerText()),
                number(await stat(page, 'Failed').innerText())],
                            [Number(executions), Number(failed)],
                            `${name}: as many as there are`);
            b.is(Number((await stat(page, 'Cost').locator('[title]')
                .getAttribute('title')).replace('$', '')), Number(cost),
                 `${name}: their cost, with all digits on hover`);
            b.ok(Math.abs(Date.now() - Date.parse(since))
                 <= days * 86400e3 + 3600e3, `${name}: that long`);
        }

        b.ok(/period=90d/.test(page.url()), 'the period is in the address');

        /* filters */
        const pick = (name) => page.getByRole('combobox', { name });

        await page.goto(b.url(`prompts/${id}/executions?period=90d`
                              + '&label=live&status=failed'));
        await page.getByText('Nothing fits these filters').waitFor();
        await b.looks(page, 'executions-nothing');
        await b.press(page, 'Clear the filters');
        await table(page).getByText('succeeded').first().waitFor();
        b.ok(!/status|label/.test(page.url()), 'filters are cleared');
        await pick('Status').selectOption('failed');
        await table(page).getByText('failed').first().waitFor();
        await b.becomes(() => table(page).getByText('succeeded').count(), 0,
                        'filtered by status');
        b.ok(/status=failed/.test(page.url()), 'which is in the address');
        await page.reload();
        await table(page).getByText('failed').first().waitFor();
        b.is(await pick('Status').inputValue(), 'failed',
             'and there after a reload');
        await b.field(page, 'Model').fill('m1');
        await page.waitForURL(/model=m1/);

        /* a detail, by keyboard, and back */
        const link = table(page).getByRole('rowheader').first()
            .getByRole('link');

        b.ok(await link.locator('time').getAttribute('title'),
             'dates are exact on hover');
        await link.focus();
        await page.keyboard.press('Enter');

        const detail = page.getByRole('dialog', { name: 'Execution' });

        await detail.getByText('it broke').waitFor();
        b.ok(/execution=/.test(page.url()), 'a detail has an address');
        b.ok((await detail.innerText()).includes('"x": "in"'), 'its input');
        await b.looks(page, 'execution');
        await page.keyboard.press('Escape');
        await detail.waitFor({ state: 'detached' });
        b.ok(!/execution=/.test(page.url()), 'it is closed by Escape');

        /* further pages come by scrolling */
        await page.goto(b.url(`prompts/${id}/executions?period=90d`));
        await table(page).getByRole('row').nth(5).waitFor();

        const seen = () => page.locator('[aria-rowindex]').evaluateAll((all) =>
            Math.max(...all.map((row) =>
                Number(row.getAttribute('aria-rowindex')))));

        await b.until(20, async () => {
            await page.mouse.wheel(0, 20000);
            return await seen() > 350;
        });
        b.ok(await seen() > 350, 'further pages come');
        b.ok(await page.locator('[data-row]').count() < 200,
             'and what is not seen is not drawn');
    });
}


async function overview() {
    await b.block('overview', async () => {
        const dear = await b.prompt('dear', 'x', { model: 'fx:ok' });
        const page = await b.signIn('alice', 'overview');

        await fill(dear, 500, '<img src=x onerror=alert(1)>');

        const asked = page.waitForRequest((r) =>
            /query Statistics/.test(r.postData() || ''));

        await b.press(page, '30 d');

        const { since } = (await asked).postDataJSON().variables;
        const [[executions, failed, cost]] = await b.sql(`
            SELECT count(*), count(*) FILTER (WHERE status = 'failed'),
                   sum(cost_usd) FROM executions
            WHERE executed_by = '${b.config().alice_id}'
                  AND created_at >= '${since}'`);

        await b.becomes(async () => [
            number(await stat(page, 'Executions').innerText()),
            number(await stat(page, 'Failed').innerText()),
            Number((await stat(page, 'Cost').locator('[title]')
                .getAttribute('title')).replace('$', ''))],
                        [Number(executions), Number(failed), Number(cost)],
                        'the sums are those of SQL');

        const ranking = await b.sql(`
            SELECT p.name, sum(cost_usd) FROM executions e
            JOIN prompts p ON p.id = e.prompt_id
            WHERE e.created_at >= '${since}' GROUP BY 1 ORDER BY 2 DESC
            LIMIT 5`);

        await b.becomes(() => page.getByRole('table', {
            name: 'Dearest prompts' }).getByRole('rowheader').allInnerTexts(),
                        ranking.map(([name]) => name), 'the dearest');

        const bad = page.getByRole('table', { name: 'Prompts that fail most' });

        b.is((await bad.getByRole('rowheader').allInnerTexts()).length, 2,
             'those that fail');
        b.is((await bad.boundingBox()).y,
             (await page.getByRole('table', { name: 'Dearest prompts' })
                 .boundingBox()).y,
             'lists beside each other begin at one height');
        await page.getByText('The numbers as a table').click();
        await b.looks(page, 'overview');
    });

    await b.block('overview without anything', async () => {
        const page = await b.signIn('bob', 'overview');

        await page.getByRole('heading', { name: 'Overview' }).waitFor();
        await page.waitForLoadState('networkidle');
        await b.looks(page, 'overview-empty');
    });
}


/* nothing turns where the answer comes within 200 ms */
async function quick() {
    await b.block('no spinner for what is quick', async () => {
        const id = await b.prompt('quick', 'x', { model: 'fx:ok' });
        const page = await b.signIn('alice', `prompts/${id}/executions`);

        await page.clock.install();
        await page.route('**/graphql', async (route) => {
            await b.sleep(50);
            await route.continue();
        });
        await page.clock.pauseAt(new Date(Date.now() + 60000));
        await page.getByRole('link', { name: 'Overview' }).click();
        await page.clock.runFor(150);
        b.is(await page.locator('.skeleton').count(), 0,
             'nothing is shown within 200 ms');
        await page.clock.resume();
        await page.getByRole('heading', { name: 'Overview' }).waitFor();
    });
}


b.main({}, async () => {
    await rows();
    await overview();
    await quick();
});
