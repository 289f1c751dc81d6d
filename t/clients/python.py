# OpenAI's library for Python: stored prompts by responses and by chat
# completions, whole and streamed, and errors by their classes.  As here.mjs
# says; NAME is a prompt that says "Hello {{who}}".
#
#     PROMPT_API_KEY=... python3 python.py URL NAME

import os
import sys
import traceback

import openai

url, name = sys.argv[1:]
client = openai.OpenAI(base_url=url + "/openai/v1",
                       api_key=os.environ["PROMPT_API_KEY"])
prompt = {"id": name, "variables": {"who": "Ada"}}


def responses():
    answer = client.responses.create(prompt=prompt)

    assert answer.output_text == "Hello Ada", answer
    assert answer.status == "completed", answer
    assert answer.usage.total_tokens > 0, answer


def responses_stream():
    events = list(client.responses.create(prompt=prompt, stream=True))
    text = "".join(event.delta for event in events
                   if event.type == "response.output_text.delta")

    assert text == events[-1].response.output_text == "Hello Ada", text


def chat():
    answer = client.chat.completions.create(
        model=name, messages=[],
        extra_body={"prompt_variables": {"who": "Ada"}})

    assert answer.choices[0].message.content == "Hello Ada", answer
    assert answer.choices[0].finish_reason == "stop", answer


def chat_stream():
    chunks = list(client.chat.completions.create(
        model=name, messages=[], stream=True,
        stream_options={"include_usage": True},
        extra_body={"prompt_variables": {"who": "Ada"}}))
    text = "".join(choice.delta.content or "" for chunk in chunks
                   for choice in chunk.choices)

    assert text == "Hello Ada", text
    assert chunks[-1].usage.total_tokens > 0, chunks[-1]


def models():
    assert name in [model.id for model in client.models.list()]
    assert client.models.retrieve(name).id == name


def refused(error, **body):
    try:
        client.responses.create(**body)
    except error as caught:
        assert caught.request_id, caught
        return

    raise AssertionError("not refused")


def errors():
    refused(openai.NotFoundError, prompt={"id": "no-such-prompt"})
    refused(openai.BadRequestError, prompt={"id": name})
    refused(openai.BadRequestError, prompt=prompt, temperature="hot")


for check in responses, responses_stream, chat, chat_stream, models, errors:
    try:
        check()
        print("ok", check.__name__)
    except Exception:
        print("not ok %s -- %s" % (check.__name__,
                                 traceback.format_exc().replace("\n", " | ")))
