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

/* the request for statistics of so many days, not one from before they were
   chosen that comes late */
const asks = (page, days) => page.waitForRequest((r) => {
    const text = r.postData() || '';

    if (!/query Statistics/.test(text)) {
        return false;
    }

    const age = Date.now() - Date.parse(JSON.parse(text).variables.since);

    return Math.ceil(age / 864e5) === days;
});

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
            const asked = asks(page, days);

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

        /* one of them, by keyboard, and back */
        const link = table(page).getByRole('rowheader').first()
            .getByRole('link');

        b.ok(await link.locator('time').getAttribute('title'),
             'dates are exact on hover');
        await link.focus();
        await page.keyboard.press('Enter');
        await page.getByRole('region', { name: 'Output' })
            .getByText('it broke').waitFor();
        b.ok(/executions\/[0-9a-f-]{36}\?/.test(page.url()),
             'one has an address');
        await page.goBack();
        await table(page).getByText('failed').first().waitFor();
        b.is(await pick('Status').inputValue(), 'failed',
             'the filters are there again');

        /* the table is first; the charts are a press away */
        await page.setViewportSize({ width: 1360, height: 850 });
        await page.goto(b.url(`prompts/${id}/executions?period=90d`));
        await table(page).getByRole('row').nth(5).waitFor();
        await page.getByText('Cost per day').waitFor();

        const top = async (one) => (await one.boundingBox()).y;
        const charts = page.getByRole('region', { name: 'Charts' });

        b.ok(await top(table(page)) < 850, 'the table is within the window');
        b.ok(await table(page).evaluate((one, other) =>
            one.compareDocumentPosition(other) & 4, await charts
                .elementHandle()), 'and before the charts');
        await b.press(page, 'Charts');
        await b.becomes(async () => await top(charts) < 850, true,
                        'which are shown when they are asked for');
        await b.press(page, 'Show more executions');
        await b.becomes(() => page.getByRole('button', {
            name: 'Show more executions' }).isVisible(), true,
                        'the table goes on by a button then');
        await page.setViewportSize({ width: 1280, height: 800 });

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

        const asked = asks(page, 30);

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
            name: 'Most expensive' }).getByRole('rowheader').allInnerTexts(),
                        ranking.map(([name]) => name), 'the most expensive');

        const bad = page.getByRole('table', { name: 'Most failures' });

        b.is((await bad.getByRole('rowheader').allInnerTexts()).length, 2,
             'those that fail');
        b.is((await bad.boundingBox()).y,
             (await page.getByRole('table', { name: 'Most expensive' })
                 .boundingBox()).y,
             'lists beside each other begin at one height');
        await page.getByText('The numbers as a table').click();
        await b.looks(page, 'overview');

        /* split: a table, whose sums are those of all */
        await b.version(dear, 'y', { model: 'fx:ok' });
        await b.sql(`UPDATE executions SET version = 2
                     WHERE prompt_id = '${dear}' AND token_in % 2 = 0`);

        for (const [name, groups] of [['Prompt', 2], ['Model', 3],
                                      ['Label', 2], ['Key', 1]])
        {
            await page.getByRole('radiogroup', { name: 'Split by' })
                .getByRole('radio', { name, exact: true }).check();

            const by = page.getByRole('table', {
                name: `By ${name.toLowerCase()}` });

            await by.getByRole('row').nth(1).waitFor();
            b.is(await by.getByRole('rowheader').count(), groups,
                 `by ${name}`);
            b.is((await by.getByRole('row').evaluateAll((rows) => rows.slice(1)
                .map((row) => Number(row.cells[1].firstChild.data
                    .replace(/,/g, ''))))).reduce((a, c) => a + c),
                 Number(executions), `by ${name}: all of them`);
        }

        await b.looks(page, 'overview-split');
        await page.getByRole('radio', { name: 'Version' }).check();
        await page.getByRole('combobox', { name: 'Prompt' })
            .selectOption({ label: 'dear' });
        await page.getByRole('table', { name: 'By version' })
            .getByText('Version 1').waitFor();
        b.ok(/split=version/.test(page.url()), 'which is in the address');
    });

    await b.block('against the period before', async () => {
        const id = await b.prompt('steady', 'x', { model: 'fx:ok' });

        await b.sql('DELETE FROM executions');
        await b.sql('DELETE FROM execution_statistics').catch(() => {});
        await fill(id, 2000);

        const page = await b.signIn('alice', 'overview?period=24h');

        await page.getByRole('radio', { name: 'Prompt', exact: true }).check();
        await page.getByRole('table', { name: 'By prompt' }).waitFor();
        b.ok(/(±0|[+−]\d+) %|new/.test(await page.locator('.stat-change')
            .first().innerText()), 'a figure says how it has changed');
        await b.looks(page, 'overview-change');
    });

    await b.block('axes', async () => {
        /* what is drawn, and where */
        const context = await b.context();

        await context.addInitScript(() => {
            const drawn = CanvasRenderingContext2D.prototype.fillText;

            window.texts = [];
            CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
                const { width } = this.measureText(text);
                const at = { left: 0, right: width, center: width / 2,
                             end: width, start: 0 }[this.textAlign];

                window.texts.push({ text, from: x - at, to: x - at + width, y,
                                    canvas: this.canvas.width,
                                    of: this.canvas.parentNode });
                return drawn.call(this, text, x, y);
            };
        });

        const page = await b.signIn('alice', 'overview', { context });

        for (const width of [320, 1360]) {
            for (const period of ['24h', '7d', '30d', '90d']) {
                await page.setViewportSize({ width, height: 850 });
                await page.evaluate(() => { window.texts = []; });
                await page.goto(b.url(`overview?period=${period}`));
                await page.getByText('Failures', { exact: true }).waitFor();
                await b.sleep(300);

                const wrong = await page.evaluate((hours) => {
                    const bad = [];
                    const all = new Set(window.texts.map((one) => one.of));

                    for (const of of all) {
                        const its = window.texts.filter((t) => t.of === of);
                        const last = Math.max(...its.map((t) => t.y));
                        const x = its.filter((t) => t.y > last - 4)
                            .filter((t, i, a) => a.findIndex((o) =>
                                o.text === t.text && o.from === t.from) === i)
                            .sort((a, c) => a.from - c.from);
                        const y = its.filter((t) => t.y <= last - 4);

                        if (x.length < 2 || new Set(y.map((t) => t.text)).size
                            < 2)
                        {
                            bad.push(`too few: ${x.length}, ${y.length}`);
                        }

                        for (const [i, t] of [...x, ...y].entries()) {
                            if (t.from < 0 || t.to > t.canvas) {
                                bad.push(`cut: ${t.text}`);
                            }

                            if (i > 0 && i < x.length && x[i - 1].to > t.from) {
                                bad.push(`over: ${x[i - 1].text} ${t.text}`);
                            }
                        }

                        for (const t of x) {
                            if (/:/.test(t.text) !== hours) {
                                bad.push(`no ${hours ? 'time' : 'date'}: `
                                         + t.text);
                            }
                        }
                    }

                    return [all.size, bad];
                }, period === '24h');

                b.is(wrong, [4, []], `axes, ${period} at ${width}`);
            }
        }
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
