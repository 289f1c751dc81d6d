/*
 * The editor: a textarea, so that typing, selecting, undoing and reading
 * aloud are the browser's own, above a layer with the same text in colour and
 * one with the marks.  Every change goes through the browser's undo.
 */

const PAIRS = { '{': '}', '(': ')', '[': ']', '"': '"' };

const EDITOR_PADDING = 12;             /* as in console.css */
const EDITOR_TOP = 8;
const EDITOR_LINE = 20;


class Editor {

    /*
     * host: an empty element.  options: label; tokens(text) for the colours;
     * complete(text, offset) and describe(text, offset) for the help;
     * explain(offset); change(); run(); comment: what begins a comment
     */
    constructor(host, options) {
        this.host = host;
        this.options = options;
        this.marks = [];
        this.gutter = el('pre', { class: 'gutter', 'aria-hidden': 'true' });
        this.marked = el('pre', { class: 'layer marks',
                                  'aria-hidden': 'true' });
        this.layer = el('pre', { class: 'layer', 'aria-hidden': 'true' });
        this.area = el('textarea', {
            'aria-label': options.label, 'aria-autocomplete': 'list',
            'aria-describedby': options.status, autocapitalize: 'off',
            autocomplete: 'off', autocorrect: 'off', spellcheck: 'false',
            wrap: 'off', rows: '1',
        });
        this.ruler = el('span', {}, 'M'.repeat(100));

        host.append(this.gutter, el('div', { class: 'code' }, this.marked,
                                    this.layer, this.area,
                                    el('span', { class: 'ruler',
                                                 'aria-hidden': 'true' },
                                       this.ruler)));

        this.completion = new Completion(this);
        this.hover = new Hover(this);

        this.area.addEventListener('input', (event) => this.input(event));
        this.area.addEventListener('keydown', (event) => this.key(event));
        this.area.addEventListener('blur', () => {
            this.completion.close();
            this.leaving = false;
        });
        this.area.addEventListener('click', (event) => {
            this.completion.close();

            if ((event.ctrlKey || event.metaKey) && options.explain) {
                options.explain(this.area.selectionStart);
            }
        });
        host.addEventListener('mousedown', (event) => {
            if (event.target === host || event.target === this.gutter) {
                event.preventDefault();
                this.area.focus();
            }
        });
        host.addEventListener('scroll', () => this.completion.close());

        this.draw();
    }

    get text() {
        return this.area.value;
    }

    set text(text) {
        this.area.value = text;
        this.changed();
    }

    draw() {
        const text = this.text;

        this.layer.replaceChildren(coloured(text, this.options.tokens), '\n');
        this.gutter.textContent = lineNumbers(text.split('\n').length);
        this.drawMarks();
    }

    /* marks: [{ start, end, message }] */
    mark(marks) {
        this.marks = marks;
        this.drawMarks();
    }

    drawMarks() {
        const text = this.text;
        const parts = [];
        let at = 0;

        for (const mark of [...this.marks].sort((a, b) => a.start - b.start)) {
            const start = Math.max(mark.start, at);
            const end = Math.min(Math.max(mark.end, start + 1), text.length);

            if (start < end) {
                parts.push(text.slice(at, start),
                           el('span', { class: 'mark' },
                              text.slice(start, end)));
                at = end;
            }
        }

        this.marked.replaceChildren(...parts, text.slice(at), '\n');

        this.gutter.querySelectorAll('.bad').forEach((line) => line.remove());

        for (const line of new Set(this.marks.map(
            (mark) => text.slice(0, mark.start).split('\n').length)))
        {
            const bad = el('span', { class: 'bad' });

            bad.style.top = `${EDITOR_TOP + (line - 1) * EDITOR_LINE}px`;
            this.gutter.append(bad);
        }
    }

    changed() {
        this.marks = [];
        this.draw();
        this.options.change();
    }

    /* replaces a range, as if it had been typed; the caret goes to caret */
    replace(start, end, text, caret = start + text.length) {
        this.area.focus();
        this.area.setSelectionRange(start, end);

        this.replacing = true;

        const done = text === '' ? document.execCommand('delete')
                                 : document.execCommand('insertText', false,
                                                        text);

        this.replacing = false;

        if (!done) {
            this.area.setRangeText(text, start, end, 'end');
        }

        this.area.setSelectionRange(caret, caret);
        this.changed();
    }

    /* other text; undo brings the old one back */
    replaceAll(text, caret = 0) {
        if (text !== this.text) {
            this.replace(0, this.text.length, text, caret);
            this.host.scrollTop = 0;
        }
    }

    select(start, end = start) {
        this.area.focus();
        this.area.setSelectionRange(start, end);
        this.reveal(start);
    }

    reveal(offset) {
        const top = EDITOR_TOP + (this.text.slice(0, offset).split('\n').length
                                  - 1) * EDITOR_LINE;

        if (top < this.host.scrollTop
            || top + EDITOR_LINE > this.host.scrollTop
                                   + this.host.clientHeight)
        {
            this.host.scrollTop = top - this.host.clientHeight / 3;
        }
    }

    /* line and column, both from 1, to an offset */
    offsetOf(line, column) {
        const lines = this.text.split('\n');
        let offset = 0;

        for (let i = 0; i < Math.min(line - 1, lines.length); i++) {
            offset += lines[i].length + 1;
        }

        return Math.min(offset + column - 1, this.text.length);
    }

    get columnWidth() {
        return this.ruler.getBoundingClientRect().width / 100;
    }

    /* where a character stands in the window */
    place(offset) {
        const walker = document.createTreeWalker(this.layer,
                                                 NodeFilter.SHOW_TEXT);
        let left = offset;

        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
            if (left <= node.length) {
                const range = document.createRange();

                range.setStart(node, left);
                range.collapse(true);

                const box = range.getClientRects()[0];
                const line = this.text.slice(0, offset).split('\n').length - 1;

                return {
                    left: box && box.height > 0 && left > 0
                          ? box.left
                          : this.layer.getBoundingClientRect().left
                            + EDITOR_PADDING + this.columnWidth
                              * (offset - this.text.lastIndexOf('\n',
                                                            offset - 1) - 1),
                    top: this.layer.getBoundingClientRect().top
                         + EDITOR_TOP + line * EDITOR_LINE,
                };
            }

            left -= node.length;
        }

        return { left: 0, top: 0 };
    }

    /* the character at a place of the window, or -1 */
    offsetAt(x, y) {
        const box = this.layer.getBoundingClientRect();
        const line = Math.floor((y - box.top - EDITOR_TOP) / EDITOR_LINE);
        const column = Math.floor((x - box.left - EDITOR_PADDING)
                                  / this.columnWidth);
        const lines = this.text.split('\n');

        if (line < 0 || line >= lines.length || column < 0
            || column >= lines[line].length)
        {
            return -1;
        }

        return this.offsetOf(line + 1, column + 1);
    }

    input(event) {
        if (this.replacing) {
            return;
        }

        this.changed();
        this.hover.close();

        if (event.inputType === 'insertText' && event.data
            && /^[_0-9A-Za-z$@"]$/.test(event.data))
        {
            this.completion.open(false);
        } else if (this.completion.isOpen
                   && event.inputType === 'deleteContentBackward')
        {
            this.completion.open(false);
        } else {
            this.completion.close();
        }
    }

    key(event) {
        const control = event.ctrlKey || event.metaKey;

        this.hover.close();

        if (event.isComposing) {
            return;
        }

        if (control && event.key === 'Enter') {
            event.preventDefault();
            this.completion.close();
            this.options.run();
            return;
        }

        if (event.ctrlKey && (event.code === 'Space' || event.key === ' ')) {
            event.preventDefault();
            this.completion.open(true);
            return;
        }

        if (this.completion.key(event)) {
            event.preventDefault();
            return;
        }

        if (event.key === 'F1' && this.options.explain) {
            event.preventDefault();
            this.options.explain(this.area.selectionStart);
            return;
        }

        if (control && event.key === '/' && this.options.comment) {
            event.preventDefault();
            this.toggleComment();
            return;
        }

        if (event.key === 'Escape') {
            this.leaving = true;       /* Tab goes on to the next element */
            return;
        }

        if (event.key === 'Tab' && !control && !event.altKey) {
            if (!this.leaving) {
                event.preventDefault();
                this.indent(event.shiftKey);
            }

            return;
        }

        this.leaving = false;

        if (!control && !event.altKey && this.typed(event.key)) {
            event.preventDefault();
        }
    }

    /* what a key does beyond inserting itself; whether it did */
    typed(key) {
        const start = this.area.selectionStart;
        const end = this.area.selectionEnd;
        const text = this.text;
        const before = text[start - 1] || '';
        const after = text[end] || '';

        if (key === 'Enter') {
            const line = text.slice(text.lastIndexOf('\n', start - 1) + 1,
                                    start);
            const indent = /^ */.exec(line)[0];

            if (/[{([]$/.test(line.trimEnd())) {
                const inner = `\n${indent}  `;
                const closing = PAIRS[line.trimEnd().slice(-1)] === after;

                this.replace(start, end,
                             inner + (closing ? `\n${indent}` : ''),
                             start + inner.length);
            } else {
                this.replace(start, end, `\n${indent}`);
            }

            this.reveal(this.area.selectionStart);
            return true;
        }

        if (key === 'Backspace' && start === end && before !== ''
            && PAIRS[before] === after)
        {
            this.replace(start - 1, start + 1, '');
            return true;
        }

        /* the closing character stands there already */
        if (start === end && key === after && /^[)\]}"]$/.test(key)
            && before !== '\\')
        {
            this.area.setSelectionRange(start + 1, start + 1);
            return true;
        }

        if (PAIRS[key] === undefined) {
            return false;
        }

        if (start !== end) {
            this.replace(start, end, key + text.slice(start, end)
                                     + PAIRS[key]);
            this.area.setSelectionRange(start + 1, end + 1);
            return true;
        }

        if ((after === '' || /[\s)\]},:]/.test(after))
            && (key !== '"' || !/[\w"\\]/.test(before)))
        {
            this.replace(start, end, key + PAIRS[key], start + 1);

            if (key === '"') {
                this.completion.open(false);
            }

            return true;
        }

        return false;
    }

    /* the selected lines, each through change() */
    changeLines(change) {
        const text = this.text;
        const { selectionStart, selectionEnd } = this.area;
        const start = text.lastIndexOf('\n', selectionStart - 1) + 1;
        let end = text.indexOf('\n', Math.max(selectionEnd - 1,
                                              selectionStart));

        if (end < 0) {
            end = text.length;
        }

        const old = text.slice(start, end).split('\n');
        const lines = change(old);
        const whole = lines.join('\n');

        if (whole !== text.slice(start, end)) {
            this.replace(start, end, whole);

            if (old.length > 1) {
                this.area.setSelectionRange(start, start + whole.length);
            } else {
                const caret = Math.max(start, selectionStart + whole.length
                                              - (end - start));

                this.area.setSelectionRange(caret, caret);
            }
        }
    }

    indent(out) {
        const { selectionStart, selectionEnd } = this.area;

        if (out) {
            this.changeLines((lines) => lines.map(
                (line) => line.replace(/^ {1,2}/, '')));
        } else if (this.text.slice(selectionStart, selectionEnd)
                   .includes('\n'))
        {
            this.changeLines((lines) => lines.map(
                (line) => (line === '' ? '' : `  ${line}`)));
        } else {
            this.replace(selectionStart, selectionEnd, '  ');
        }
    }

    toggleComment() {
        const sign = this.options.comment;

        this.changeLines((lines) => {
            const on = lines.every((line) => line.trim() === ''
                                             || line.trim()
                                                .startsWith(sign));

            return lines.map((line) => {
                const indent = /^ */.exec(line)[0];
                const rest = line.slice(indent.length);

                if (rest === '') {
                    return line;
                }

                return indent + (on ? rest.slice(sign.length)
                                      .replace(/^ /, '')
                                    : `${sign} ${rest}`);
            });
        });
    }
}


/* What an editor cannot change: line numbers and coloured text. */

class CodeView {

    constructor(host, label) {
        this.host = host;
        this.gutter = el('pre', { class: 'gutter', 'aria-hidden': 'true' });
        this.layer = el('pre', { class: 'layer read', tabindex: '0',
                                 role: 'region', 'aria-label': label });
        host.append(this.gutter, el('div', { class: 'code' }, this.layer));
    }

    show(text, tokens) {
        this.text = text;
        this.gutter.textContent = lineNumbers(text.split('\n').length);
        this.layer.replaceChildren(tokens ? coloured(text, tokens) : text,
                                   '\n');
        this.host.scrollTo(0, 0);
    }
}
