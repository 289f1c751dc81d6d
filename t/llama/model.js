#!/usr/bin/env node
/*
 * A language model that knows nothing: of llama's architecture, with random
 * weights, in GGUF, for llama-server.
 *
 *     node t/llama/model.js FILE [SEED]
 *
 * The same seed makes the same file, byte for byte: weights are sums of a
 * generator of whole numbers, without a function of the mathematics library.
 * A token is a character, or one of the 256 bytes; what can come out is
 * characters of one to four bytes, and the end.
 */

'use strict';

const fs = require('fs');

const width = 64;               /* of a token's vector */
const heads = 4;
const sharing = 2;              /* heads that share keys and values */
const hidden = 128;
const layers = 2;
const context = 65536;

/* GGUF: types of values, and of tensors */
const U32 = 4;
const F32 = 6;
const BOOL = 7;
const STRING = 8;
const ARRAY = 9;
const I32 = 5;
const TENSOR_F32 = 0;

const alignment = 32;

/* what a token is */
const NORMAL = 1;
const UNKNOWN = 2;
const CONTROL = 3;
const BYTE = 6;

const template = "{% if tools %}{{ '<|system|>Tools: ' }}"
    + "{{ tools | tojson }}{{ '</s>' }}{% endif %}"
    + '{% for message in messages %}'
    + "{{ '<|' + message['role'] + '|>' }}{{ message['content'] }}"
    + "{{ '</s>' }}{% endfor %}"
    + "{% if add_generation_prompt %}{{ '<|assistant|>' }}{% endif %}";


function vocabulary() {
    const tokens = [['<unk>', UNKNOWN], ['<s>', CONTROL], ['</s>', CONTROL]];

    for (let byte = 0; byte < 256; byte++) {
        const hex = byte.toString(16).toUpperCase().padStart(2, '0');

        tokens.push([`<0x${hex}>`, BYTE]);
    }

    for (const role of ['system', 'user', 'assistant']) {
        tokens.push([`<|${role}|>`, CONTROL]);
    }

    /* U+2581 is a space */

    for (const c of '\u2581"\\{}[]:,.!?-\n0123456789éßŁλя漢字ひ😀🎉'
                    + 'abcdefghijklmnopqrstuvwxyz'
                    + 'ABCDEFGHIJKLMNOPQRSTUVWXYZ') {
        tokens.push([c, NORMAL]);
    }

    return tokens;
}


/* what is written, piece by piece */
class Writer {
    constructor() {
        this.parts = [];
        this.length = 0;
    }

    bytes(buffer) {
        this.parts.push(buffer);
        this.length += buffer.length;
    }

    number(method, size, value) {
        const buffer = Buffer.alloc(size);

        buffer[method](value);
        this.bytes(buffer);
    }

    u32(value) {
        this.number('writeUInt32LE', 4, value);
    }

    u64(value) {
        this.number('writeBigUInt64LE', 8, BigInt(value));
    }

    string(text) {
        const buffer = Buffer.from(text);

        this.u64(buffer.length);
        this.bytes(buffer);
    }

    value(type, value) {
        switch (type) {
        case U32:
            this.u32(value);
            break;
        case I32:
            this.number('writeInt32LE', 4, value);
            break;
        case F32:
            this.number('writeFloatLE', 4, value);
            break;
        case BOOL:
            this.number('writeUInt8', 1, value ? 1 : 0);
            break;
        case STRING:
            this.string(value);
            break;
        default:
            throw new Error(`no type: ${type}`);
        }
    }

    member(name, type, value, items) {
        this.string(name);
        this.u32(type);

        if (type !== ARRAY) {
            this.value(type, value);
            return;
        }

        this.u32(items);
        this.u64(value.length);
        value.forEach((item) => this.value(items, item));
    }

    align() {
        this.bytes(Buffer.alloc((alignment - this.length % alignment)
                                % alignment));
    }

    whole() {
        return Buffer.concat(this.parts, this.length);
    }
}


/* uniform in [0, 1): xorshift32 */
function generator(seed) {
    let x = (seed * 2654435769) >>> 0 || 1;

    return () => {
        x ^= x << 13;
        x >>>= 0;
        x ^= x >>> 17;
        x ^= x << 5;
        x >>>= 0;

        return x / 4294967296;
    };
}

/* nearly normal, by adding up */
function normal(next) {
    let sum = -6;

    for (let i = 0; i < 12; i++) {
        sum += next();
    }

    return sum;
}


function tensors(tokens, next) {
    const list = [];
    const random = (name, columns, rows, scale) => {
        const data = new Float32Array(columns * rows);

        for (let i = 0; i < data.length; i++) {
            data[i] = normal(next) * scale;
        }

        list.push({ name, shape: [columns, rows], data });

        return data;
    };
    const ones = (name) => list.push({
        name, shape: [width], data: new Float32Array(width).fill(1) });
    const narrow = width / sharing;
    const scale = 1 / Math.sqrt(width);

    random('token_embd.weight', width, tokens.length, 1);

    for (let i = 0; i < layers; i++) {
        ones(`blk.${i}.attn_norm.weight`);
        random(`blk.${i}.attn_q.weight`, width, width, 2 * scale);
        random(`blk.${i}.attn_k.weight`, width, narrow, 2 * scale);
        random(`blk.${i}.attn_v.weight`, width, narrow, 2 * scale);
        random(`blk.${i}.attn_output.weight`, width, width, 2 * scale);
        ones(`blk.${i}.ffn_norm.weight`);
        random(`blk.${i}.ffn_gate.weight`, width, hidden, scale);
        random(`blk.${i}.ffn_up.weight`, width, hidden, scale);
        random(`blk.${i}.ffn_down.weight`, hidden, width, scale);
    }

    ones('output_norm.weight');

    const output = random('output.weight', width, tokens.length, 1);

    /* neither bytes nor marks come out: they have nothing to say for them */

    tokens.forEach(([text, kind], i) => {
        if (kind !== NORMAL && text !== '</s>') {
            output.fill(0, i * width, (i + 1) * width);
        }
    });

    return list;
}


function model(seed) {
    const tokens = vocabulary();
    const list = tensors(tokens, generator(seed));
    const id = (text) => tokens.findIndex(([name]) => name === text);
    const members = [
        ['general.architecture', STRING, 'llama'],
        ['general.name', STRING, `random ${seed}`],
        ['general.alignment', U32, alignment],
        ['general.file_type', U32, 0],
        ['llama.context_length', U32, context],
        ['llama.embedding_length', U32, width],
        ['llama.block_count', U32, layers],
        ['llama.feed_forward_length', U32, hidden],
        ['llama.attention.head_count', U32, heads],
        ['llama.attention.head_count_kv', U32, heads / sharing],
        ['llama.attention.layer_norm_rms_epsilon', F32, 1e-5],
        ['llama.rope.dimension_count', U32, width / heads],
        ['llama.vocab_size', U32, tokens.length],
        ['tokenizer.ggml.model', STRING, 'llama'],
        ['tokenizer.ggml.tokens', ARRAY, tokens.map(([text]) => text), STRING],
        ['tokenizer.ggml.scores', ARRAY, tokens.map(() => 0), F32],
        ['tokenizer.ggml.token_type', ARRAY, tokens.map(([, kind]) => kind),
         I32],
        ['tokenizer.ggml.unknown_token_id', U32, id('<unk>')],
        ['tokenizer.ggml.bos_token_id', U32, id('<s>')],
        ['tokenizer.ggml.eos_token_id', U32, id('</s>')],
        ['tokenizer.ggml.add_bos_token', BOOL, true],
        ['tokenizer.ggml.add_space_prefix', BOOL, false],
        ['tokenizer.chat_template', STRING, template]
    ];
    const out = new Writer();
    let offset = 0;

    out.bytes(Buffer.from('GGUF'));
    out.u32(3);
    out.u64(list.length);
    out.u64(members.length);
    members.forEach((member) => out.member(...member));

    for (const { name, shape, data } of list) {
        out.string(name);
        out.u32(shape.length);
        shape.forEach((n) => out.u64(n));
        out.u32(TENSOR_F32);
        out.u64(offset);
        offset += Math.ceil(data.byteLength / alignment) * alignment;
    }

    for (const { data } of list) {
        out.align();

        const bytes = Buffer.alloc(data.byteLength);

        data.forEach((x, i) => bytes.writeFloatLE(x, 4 * i));
        out.bytes(bytes);
    }

    return out.whole();
}


const [file, seed] = process.argv.slice(2);

if (file === undefined) {
    process.stderr.write('usage: model.js FILE [SEED]\n');
    process.exit(2);
}

fs.writeFileSync(file, model(Number(seed || 1)));
