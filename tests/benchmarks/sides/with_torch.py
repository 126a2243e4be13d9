"""PyTorch on the processor, with the threads that it chooses."""

import torch
from moons import loss_of_demo


def scalars(x_number, y_number):
    def run():
        x = torch.tensor(x_number, requires_grad=True)
        y = torch.tensor(y_number, requires_grad=True)
        w = x * y + x
        w.backward()
        return [x.grad, y.grad]

    return run


def chain(values, count):
    x = torch.tensor(values, requires_grad=True)
    seed = torch.ones_like(x)

    def run():
        x.grad = None
        y = x
        for _ in range(count // 2):
            y = y * x
            y = y + x
        y.backward(seed)
        return [x.grad]

    return run


def demo(weights, points, labels):
    parameters = [torch.tensor(weight, requires_grad=True) for weight in weights]

    def run():
        for parameter in parameters:
            parameter.grad = None
        rows = [[torch.tensor(number) for number in point] for point in points]
        loss = loss_of_demo(parameters, rows, labels, torch.relu)
        loss.backward()
        return [parameter.grad for parameter in parameters]

    return run


def network(weights, images, labels):
    first, second, third = (torch.tensor(weight, requires_grad=True) for weight in weights)
    x, targets = torch.tensor(images), torch.tensor(labels)

    def run():
        h = torch.relu(x @ first)
        k = torch.relu(h @ second)
        loss = torch.nn.functional.cross_entropy(k @ third, targets)
        for weight in (first, second, third):
            weight.grad = None
        loss.backward()
        return [loss.detach(), first.grad, second.grad, third.grad]

    return run
