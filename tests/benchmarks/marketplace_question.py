"""The question of the marketplace's benchmark, for the process that measures and the one that fills."""

QUESTION = (
    '<ExternalQuestion xmlns="http://mechanicalturk.amazonaws.com/AWSMechanicalTurkDataSchemas/2006-07-14/'
    'ExternalQuestion.xsd"><ExternalURL>https://example.org/task</ExternalURL><FrameHeight>0</FrameHeight>'
    "</ExternalQuestion>"
)
