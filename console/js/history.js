/*
 * What was run in this tab; forgotten when the tab is closed.  Documents and
 * variables only: no answers, which may hold what is shown once.
 */

const HISTORY_ENTRIES = 50;
const HISTORY_BYTES = 1000000;


class History {

    /* options: use(entry) */
    constructor(host, options) {
        this.host = host;
        this.options = options;

        try {
            this.entries = JSON.parse(memory.get('history')) || [];
        } catch {
            this.entries = [];
        }

        this.draw();
    }

    add(entry) {
        const last = this.entries[0];

        if (last && last.query === entry.query
            && last.variables === entry.variables
            && last.operation === entry.operation)
        {
            this.entries.shift();
        }

        this.entries.unshift(entry);
        this.entries.length = Math.min(this.entries.length, HISTORY_ENTRIES);
        this.save();
    }

    save() {
        let text = JSON.stringify(this.entries);

        while (text.length > HISTORY_BYTES) {
            this.entries.pop();
            text = JSON.stringify(this.entries);
        }

        memory.set('history', text);
        this.draw();
    }

    title(entry) {
        if (entry.operation) {
            return entry.operation;
        }

        const name = /\b(?:query|mutation)\s+([_A-Za-z]\w*)/.exec(entry.query);

        return name ? name[1] : entry.query.replace(/#.*/g, '')
            .replace(/\s+/g, ' ').trim().slice(0, 60) || 'empty';
    }

    draw() {
        const body = el('div', { class: 'docs' });

        if (this.entries.length === 0) {
            body.append(el('p', { class: 'notice' },
                'Nothing was run in this tab yet.'));
        } else {
            body.append(
                el('ol', { class: 'history' }, ...this.entries.map(
                    (entry) => el('li', {}, el('button', {
                        type: 'button',
                        onclick: () => this.options.use(entry),
                    }, el('span', { class: `dot ${entry.ok ? 'good'
                                                           : 'bad'}` }),
                       el('span', { class: 'what' }, this.title(entry)),
                       el('time', { class: 'dim', datetime: entry.time },
                          new Date(entry.time).toLocaleTimeString([], {
                              hour: '2-digit', minute: '2-digit' })))))),
                el('button', {
                    type: 'button', class: 'flat danger',
                    onclick: () => {
                        this.entries = [];
                        this.save();
                    },
                }, 'Forget all'));
        }

        this.host.replaceChildren(body);
    }
}
